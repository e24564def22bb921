"""In a browser: a tournament is started, watched, stopped and resumed; one that has ended; a hand replayed by keys."""

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from kibitz.cli import main
from web.test_accessible_browser import broken_rules


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    log = ["match", "loose-passive", "always-call", "--hands", "60", "--log", str(folder / "match.log")]
    main(log, standalone_mode=False)
    main(["reproduce", "ganzfried2013", "table-1", "--out", str(folder / "tables")], standalone_mode=False)
    ended = ["tournament", "random", "always-call", "always-raise", "--game", "kuhn", "--hands", "20"]
    main([*ended, "--matches", "50", "--out", str(folder / "matches" / "ended")], standalone_mode=False)
    return folder


@pytest.fixture(scope="module")
def address(serve, folder):
    with serve(folder) as found:
        yield found


def test_a_tournament_is_started_watched_stopped_and_resumed(browser, address):
    wait = WebDriverWait(browser, 180, ignored_exceptions=[StaleElementReferenceException])  # it is drawn anew
    find, find_all = browser.find_element, browser.find_elements
    browser.get(f"{address}/matches")
    Select(find(By.ID, "game")).select_by_value("kuhn")
    assert find(By.ID, "plan").text.startswith("A match")
    for name in ("tight-aggressive", "loose-aggressive", "random"):
        find(By.CSS_SELECTOR, f"[name=agents][value={name}]").click()
    assert not find(By.ID, "start").is_enabled()
    for name in ("always-call", "always-raise"):
        box = find(By.CSS_SELECTOR, f"[name=agents][value={name}]")
        browser.execute_script("arguments[0].focus()", box)
        browser.switch_to.active_element.send_keys(Keys.SPACE)
    assert find(By.ID, "plan").text.startswith("A tournament: 3 tables")
    for field, number in (("hands", "20"), ("set-matches", "33334")):
        find(By.ID, field).clear()
        find(By.ID, field).send_keys(number)
    assert find(By.ID, "plan").text.startswith("100,002 matches: 100,000 are the most")
    assert not find(By.ID, "start").is_enabled()
    find(By.ID, "set-matches").send_keys(Keys.BACKSPACE, "0")  # more than can be played while this test runs
    find(By.ID, "start").click()

    def matches_played():
        return int(find(By.CSS_SELECTOR, "#match .status b.number").text.replace(",", ""))

    wait.until(lambda _: "/matches/open" in browser.current_url)
    wait.until(lambda _: len(find_all(By.CSS_SELECTOR, "#match td a")) == 6)
    wait.until(lambda _: find_all(By.CSS_SELECTOR, "#rates-chart polyline"))
    wait.until(
        lambda _: ActionChains(browser).click_and_hold(find(By.CSS_SELECTOR, "[data-focus=act]")).perform() is None
    )
    held = find(By.CSS_SELECTOR, "[data-focus=act]")
    live_answers = "return performance.getEntriesByType('resource').filter(each => each.name.includes('live')).length"
    before = browser.execute_script(live_answers)
    wait.until(lambda _: browser.execute_script(live_answers) > before + 1)
    assert held.text == "Stop"  # it was not replaced under the pointer
    ActionChains(browser).release().perform()
    wait.until(lambda _: "stopped" in find(By.ID, "match").text)
    browser.refresh()
    wait.until(lambda _: find_all(By.CSS_SELECTOR, "[data-focus=act]"))
    assert "of 99,990 matches" in find(By.ID, "match").text
    before = matches_played()
    wait.until(lambda _: find(By.CSS_SELECTOR, "[data-focus=act]").send_keys(Keys.ENTER) is None)
    wait.until(lambda _: matches_played() > before)
    wait.until(lambda _: find(By.CSS_SELECTOR, "[data-focus=act]").click() is None)
    wait.until(lambda _: "stopped" in find(By.ID, "match").text)
    assert browser.get_log("browser") == []


def test_a_table_of_a_tournament_is_chosen_by_keys(browser, address):
    wait = WebDriverWait(browser, 60, ignored_exceptions=[StaleElementReferenceException])
    browser.get(f"{address}/matches/open?name=matches/ended")
    wait.until(lambda _: browser.find_elements(By.CSS_SELECTOR, "#rates-chart polyline"))
    assert "Ranked by instant run-off" in browser.find_element(By.ID, "match").text
    browser.find_element(By.CSS_SELECTOR, "[data-table='2-0']").send_keys(Keys.ENTER)
    wait.until(lambda _: browser.find_element(By.ID, "rates-title").text == "always-raise against random")
    assert "After 2,000 hands: always-raise" in browser.find_element(By.ID, "rates-told").text
    assert browser.get_log("browser") == []


def test_a_hand_is_replayed_by_keys(browser, address):
    wait = WebDriverWait(browser, 60)
    browser.get(f"{address}/logs")
    browser.find_element(By.LINK_TEXT, "match.log").click()
    Select(browser.find_element(By.ID, "showdown")).select_by_value("yes")
    browser.find_element(By.CSS_SELECTOR, "form.card button").click()
    wait.until(lambda _: "showdown=yes" in browser.current_url)
    browser.find_element(By.CSS_SELECTOR, ".hands th a").click()
    wait.until(lambda _: "Step 0" in browser.find_element(By.ID, "hand").text)

    def press(key, until):
        browser.find_element(By.TAG_NAME, "body").send_keys(key)
        wait.until(lambda _: until in browser.find_element(By.ID, "hand").text.lower())

    press(Keys.ARROW_RIGHT, "step 1 of")
    press(Keys.ARROW_RIGHT, "step 2 of")
    press(Keys.ARROW_LEFT, "step 1 of")
    press(Keys.END, "hand over")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".oval .board .pc:not(.slot)")) == 5
    assert "Equity by street" in browser.find_element(By.ID, "hand").text
    before = browser.current_url
    press("n", "step 0 of")
    assert browser.current_url != before
    assert browser.get_log("browser") == []


@pytest.mark.parametrize(("scheme", "width"), [("dark", 360), ("light", 1440)])
def test_pages_fit_and_keep_the_rules_of_axe(browser, address, scheme, width):
    pages = [
        "/matches/open?name=matches/ended", "/logs/open?name=match.log&player=always-call&least=2000",
        "/logs/hand?name=match.log&hand=0&step=2", "/logs/players?name=match.log",
        "/papers/table?paper=ganzfried2013&table=table-1",
    ]  # fmt: skip
    device = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    for page in ("/matches", "/logs", "/papers", *pages):
        browser.get(address + page)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, page
        assert browser.get_log("browser") == []
        if page in pages:  # the others are looked at with all pages
            assert broken_rules(browser) == [], page
            browser.get_log("browser")  # of the checker, whose own styles the policy of the page refuses
