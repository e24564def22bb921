"""In a browser: hands are played to the showdown as a person would, by mouse and by keys, with the kibitz panel on."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.ui import Select, WebDriverWait


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    with serve(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture
def table(browser, address):
    return Table(browser, address)


class Table:
    """What a person does at the table."""

    def __init__(self, browser, address):
        self.browser, self.address, self.wait = browser, address, WebDriverWait(browser, 60)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def has(self, selector):
        return bool(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def sit_down(self, game, players, opponent, seed):
        self.browser.get(f"{self.address}/table")
        Select(self.find("#game")).select_by_value(game)
        Select(self.find("#players")).select_by_visible_text(str(players))
        offered = self.browser.find_elements(By.NAME, "opponent")
        assert sum(each.is_displayed() for each in offered) == players - 1
        Select(self.find("[name=opponent]")).select_by_visible_text(opponent)
        self.find("#seed").send_keys(seed)
        self.find("form[action='/table/start'] > button").click()
        self.wait.until(lambda _: self.has("#felt .play"))

    def does(self, act):
        before = self.find(".play")
        act()
        self.wait.until(staleness_of(before))

    def click(self, selector):
        self.does(self.find(selector).click)

    def press(self, key):
        self.does(lambda: self.browser.switch_to.active_element.send_keys(key))

    @property
    def over(self):
        return self.find(".play").get_attribute("data-over") == "1"


def test_one_command_and_two_clicks_to_the_first_action(table):
    table.browser.get(f"{table.address}/")
    table.find("form[action='/table/start'] > button").click()
    table.wait.until(lambda _: table.has("#felt .play"))
    table.click(".controls .call, .controls [data-action=next]")
    assert table.browser.get_log("browser") == []


def test_no_limit_by_mouse_to_the_showdown(table):
    table.sit_down("holdem-nolimit", 2, "always-call", "5")
    assert not table.find("#panel").is_displayed()
    table.find("#kibitz").click()
    table.wait.until(lambda _: table.has(".heat"))
    table.find("[data-size]:nth-of-type(3)").click()
    assert table.find("#shown").text == table.find("#size").get_attribute("value") == "300"
    table.click(".controls .raise")
    assert "you raise to 300" in table.find(".story").text
    while not table.over:
        table.click(".controls .call")
    assert "pair" in table.find(".oval").text or "high" in table.find(".oval").text
    assert len(table.browser.find_elements(By.CSS_SELECTOR, ".board .pc:not(.slot)")) == 5
    table.wait.until(lambda _: "luck-adjusted" in table.find(".score").text)
    table.wait.until(lambda _: table.has(".reason"))
    table.find(".reason summary").click()
    assert "Call" in table.find(".reason").text
    where, total = table.browser.current_url, table.find(".total").text
    table.find(".button.quiet[href='/table']").click()  # leave, and come back
    table.find(f"a[href='{where.removeprefix(table.address)}']").click()
    table.wait.until(lambda _: table.has("#felt .play"))
    assert table.find(".total").text == total
    assert table.browser.get_log("browser") == []


def test_six_player_limit_by_keys_to_the_showdown(table):
    table.sit_down("holdem-limit", 6, "always-call", "3")
    assert len(table.browser.find_elements(By.CSS_SELECTOR, ".seat")) == 6
    table.press("r")
    assert "you raise to 20" in table.find(".story").text
    table.press(Keys.ENTER)  # the focus is on checking and calling
    while not table.over:
        table.press("c")
    assert "chips in 1 hand" in table.find(".score").text
    table.press("n")
    assert table.find(".story h2").text == "Hand 2"
    table.browser.switch_to.active_element.send_keys("k")
    table.wait.until(lambda _: table.has(".heat"))
    assert table.browser.get_log("browser") == []


def test_a_stale_window_does_not_act_on_another_street(table):
    """A check that is meant for the first street is not played on the second: the window shows how the hand stands."""
    table.sit_down("leduc", 2, "always-call", "5")
    browser = table.browser
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(f"{table.address}/table")
    table.find("a[href^='/table/']").click()
    table.wait.until(lambda _: table.has("#felt .play"))
    table.press("c")
    story = table.find(".story").text
    browser.switch_to.window(first)
    table.press("c")
    assert "gone on" in table.find("#problem").text
    assert table.find(".story").text == story
    table.press("c")
    assert not table.find("#problem").is_displayed()
    assert table.find(".story").text != story
    browser.close()
    browser.switch_to.window(browser.window_handles[0])
    assert [each["message"] for each in browser.get_log("browser") if "409" not in each["message"]] == []


def test_a_size_beyond_the_stack_is_asked_about(table):
    table.sit_down("holdem-nolimit", 2, "always-call", "5")
    table.find("#size").clear()
    table.find("#size").send_keys("99999", Keys.ENTER)
    table.wait.until(lambda _: table.find("#sure").is_displayed())
    assert table.find("#sure h2").text == "All-in for 20,000?"
    table.browser.switch_to.active_element.send_keys("f")  # no key of the table underneath
    table.browser.switch_to.active_element.send_keys(Keys.ENTER)  # a second Enter does not agree
    table.wait.until(lambda _: not table.find("#sure").is_displayed())
    assert table.find("#size").get_attribute("value") == "99999"
    table.find(".controls .raise").click()
    table.wait.until(lambda _: table.find("#sure").is_displayed())
    table.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    table.wait.until(lambda _: not table.find("#sure").is_displayed())
    for wrong in ("5", "250.5"):
        table.find("#size").clear()
        table.find("#size").send_keys(wrong, Keys.ENTER)
        table.wait.until(lambda _, wrong=wrong: f"{wrong} cannot be bet" in table.find("#problem").text)
    assert "you" not in table.find(".story").text
    table.find("#size").clear()
    table.find("#size").send_keys("99999", Keys.ENTER)
    table.does(table.find("#sure [value=all-in]").click)
    assert "you raise to 20,000" in table.find(".story").text
    assert table.over
    assert table.browser.get_log("browser") == []


def test_back_shows_the_sessions_as_they_are(table):
    table.browser.get(f"{table.address}/table")
    before = len(table.browser.find_elements(By.CSS_SELECTOR, ".job"))
    table.find("form[action='/table/start'] > button").click()
    table.wait.until(lambda _: table.has("#felt .play"))
    table.browser.back()
    table.wait.until(lambda _: len(table.browser.find_elements(By.CSS_SELECTOR, ".job")) == before + 1)


def test_a_server_that_is_gone_is_told_in_a_sentence(browser, serve, tmp_path):
    with serve(tmp_path) as address:
        table = Table(browser, address)
        table.sit_down("leduc", 2, "always-call", "5")
        browser.switch_to.new_window("tab")
        browser.get(f"{address}/jobs")
    table.wait.until(lambda _: "kibitz web" in table.find("#problem").text)
    browser.close()
    browser.switch_to.window(browser.window_handles[0])
    browser.switch_to.active_element.send_keys("c")
    table.wait.until(lambda _: "kibitz web" in table.find("#problem").text)
    browser.get_log("browser")  # of the requests that failed


@pytest.mark.parametrize("width", [360, 1440])
def test_ten_players_have_room(table, width):
    device = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    table.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
    table.sit_down("holdem-nolimit", 10, "always-call", "3")
    assert table.browser.execute_script("return document.documentElement.scrollWidth") <= width
    covered = """
      const all = document.querySelectorAll('.plate, .middle .board');
      const boxes = [...all].map((each) => each.getBoundingClientRect());
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;"""
    assert table.browser.execute_script(covered) == 0
    table.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
