"""In a browser: a river is set up and solved as a person would, a strategy is opened and walked, by mouse and keys."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from kibitz.cli import main


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    main(["solve", "kuhn", "--iterations", "20", "--out", str(folder / "kuhn")], standalone_mode=False)
    with serve(folder) as found:
        yield found


def test_a_river_is_set_up_and_solved(browser, address):
    wait = WebDriverWait(browser, 60)
    find = browser.find_element
    browser.get(f"{address}/spot")
    section = find(By.CSS_SELECTOR, "[data-player=oop]")
    text = section.find_element(By.TAG_NAME, "textarea")
    wait.until(lambda _: "258" in section.find_element(By.CLASS_NAME, "count").text)
    section.find_element(By.CLASS_NAME, "clear").click()
    for name in ("QQ", "JJ"):
        section.find_element(By.CSS_SELECTOR, f"[data-name='{name}']").click()
        wait.until(lambda _, name=name: name in text.get_attribute("value"))
    cell = section.find_element(By.CSS_SELECTOR, "[data-name='65s']")
    browser.execute_script("arguments[0].focus()", cell)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait.until(lambda _: text.get_attribute("value") == "QQ,JJ,65s")
    browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert browser.switch_to.active_element.get_attribute("data-name") == "64s"
    other = find(By.ID, "ip")
    other.clear()
    other.send_keys("AA")
    wait.until(lambda _: "6 comb" in find(By.CSS_SELECTOR, "[data-player=ip] .count").text)
    wait.until(lambda _: "betting nodes" in find(By.ID, "size").text and find(By.ID, "solve").is_enabled())
    find(By.ID, "solve").click()
    wait.until(lambda _: "/spot/open" in browser.current_url)
    assert "Out of position to act" in find(By.ID, "part").text
    find(By.CSS_SELECTOR, "[data-cell='65s']").click()
    wait.until(lambda _: "6c5c" in find(By.ID, "part").text)
    find(By.CSS_SELECTOR, ".action").click()
    wait.until(lambda _: "In position to act" in find(By.ID, "part").text)
    browser.back()
    wait.until(lambda _: "6c5c" in find(By.ID, "part").text)
    assert browser.get_log("browser") == []


def test_back_finds_the_form_as_it_was_filled_in(browser, address):
    browser.get(f"{address}/spot")
    board = browser.find_element(By.ID, "board")
    board.clear()
    board.send_keys("As Kd 2c")
    browser.get(f"{address}/jobs")
    browser.back()
    wait = WebDriverWait(browser, 20)
    wait.until(lambda _: browser.find_element(By.ID, "board").get_attribute("value") == "As Kd 2c")


def test_a_strategy_is_opened_and_walked(browser, address):
    wait = WebDriverWait(browser, 20)
    browser.get(f"{address}/strategies")
    browser.find_element(By.LINK_TEXT, "kuhn").click()
    wait.until(lambda _: browser.find_elements(By.ID, "part"))
    browser.find_elements(By.CSS_SELECTOR, ".action")[1].click()
    wait.until(lambda _: "Player 1 to act" in browser.find_element(By.ID, "part").text)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait.until(lambda _: "The hand is over" in browser.find_element(By.ID, "part").text)
    for width in (360, 1440):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
        )
        for page in ("/strategies", "/spot", "/strategies/open?name=kuhn"):
            browser.get(address + page)
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, page
    assert browser.get_log("browser") == []
