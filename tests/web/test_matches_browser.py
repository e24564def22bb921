"""In a browser: a tournament is started and watched, a hand is replayed by keys, a table of a paper is opened."""

import shutil
import socket
import tempfile
import threading
import time

import pytest
import uvicorn
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from kibitz.cli import main
from kibitz.web.app import make_app

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="no browser: install chromium and chromium-driver to test the page"
)
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    log = ["match", "loose-passive", "always-call", "--hands", "60", "--log", str(folder / "match.log")]
    main(log, standalone_mode=False)
    return folder


@pytest.fixture(scope="module")
def address(folder):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(make_app(folder), port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    with tempfile.TemporaryDirectory() as profile:
        for each in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(each)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
        driver.set_window_size(1440, 1000)
        yield driver
        driver.quit()


def test_a_tournament_is_started_watched_stopped_and_resumed(browser, address):
    wait = WebDriverWait(browser, 60)
    find, find_all = browser.find_element, browser.find_elements
    browser.get(f"{address}/matches")
    Select(find(By.ID, "game")).select_by_value("kuhn")
    assert find(By.ID, "plan").text.startswith("A match")
    for name in ("tight-aggressive", "loose-aggressive", "random"):
        find(By.CSS_SELECTOR, f"[name=agent][value={name}]").click()
    assert not find(By.ID, "start").is_enabled()
    for name in ("always-call", "always-raise"):
        box = find(By.CSS_SELECTOR, f"[name=agent][value={name}]")
        browser.execute_script("arguments[0].focus()", box)
        browser.switch_to.active_element.send_keys(Keys.SPACE)
    assert find(By.ID, "plan").text.startswith("A tournament: 3 tables")
    for field, number in (("hands", "20"), ("rounds", "700")):
        find(By.ID, field).clear()
        find(By.ID, field).send_keys(number)
    find(By.ID, "start").click()
    wait.until(lambda _: "/matches/open" in browser.current_url)
    wait.until(lambda _: len(find_all(By.CSS_SELECTOR, "#match td a")) == 6)
    wait.until(lambda _: find_all(By.CSS_SELECTOR, "#rates-chart polyline"))
    find(By.CSS_SELECTOR, "[data-focus=act]").click()
    wait.until(lambda _: "stopped" in find(By.ID, "match").text)
    browser.refresh()
    wait.until(lambda _: find_all(By.CSS_SELECTOR, "[data-focus=act]"))
    assert "of 2,100 matches" in find(By.ID, "match").text
    find(By.CSS_SELECTOR, "[data-focus=act]").send_keys(Keys.ENTER)
    wait.until(lambda _: "Who won" in find(By.ID, "match").text)
    find(By.CSS_SELECTOR, "[data-table='2-0']").send_keys(Keys.ENTER)
    wait.until(lambda _: find(By.ID, "rates-title").text == "always-raise against random")
    assert "After 28,000 hands: always-raise" in find(By.ID, "rates-told").text
    assert browser.get_log("browser") == []


def test_a_hand_is_replayed_by_keys(browser, address):
    wait = WebDriverWait(browser, 30)
    browser.get(f"{address}/logs")
    browser.find_element(By.LINK_TEXT, "match.log").click()
    Select(browser.find_element(By.ID, "showdown")).select_by_value("yes")
    browser.find_element(By.CSS_SELECTOR, "form.card button").click()
    wait.until(lambda _: "showdown=yes" in browser.current_url)
    browser.find_element(By.CSS_SELECTOR, ".hands th a").click()
    wait.until(lambda _: "Step 0" in browser.find_element(By.ID, "hand").text)

    def press(key, until):
        browser.find_element(By.TAG_NAME, "body").send_keys(key)
        wait.until(lambda _: until in browser.find_element(By.ID, "hand").text)

    press(Keys.ARROW_RIGHT, "Step 1 of")
    press(Keys.ARROW_RIGHT, "Step 2 of")
    press(Keys.ARROW_LEFT, "Step 1 of")
    press(Keys.END, "Hand Over")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".oval .board .pc:not(.slot)")) == 5
    assert "Equity by street" in browser.find_element(By.ID, "hand").text
    before = browser.current_url
    press("n", "Step 0 of")
    assert browser.current_url != before
    assert browser.get_log("browser") == []


def test_pages_fit_narrow_and_wide_in_light_and_dark(browser, address, folder):
    series = next((folder / "matches").iterdir()).name
    pages = [
        "/matches", f"/matches/open?name=matches/{series}", "/logs", "/logs/open?name=match.log&player=always-call",
        "/logs/hand?name=match.log&hand=0", "/logs/players?name=match.log", "/papers",
        "/papers/table?paper=ganzfried2013&table=table-6",
    ]  # fmt: skip
    for width, scheme in ((360, "dark"), (1440, "light")):
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        for page in pages:
            browser.get(address + page)
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, page
    assert browser.get_log("browser") == []
