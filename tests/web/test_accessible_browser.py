"""In a browser: the rules of axe-core hold on every page, in light and in dark."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from starlette.testclient import TestClient

from kibitz.cli import main
from kibitz.web.app import make_app
from kibitz.web.pages import PAGES
from kibitz.web.security import VISITOR
from kibitz.web.tasks.solve_spot import run

axe = pytest.importorskip("selenium_axe_python")

SPOT = {
    "board": "Qs Jh 2h 8d 3c", "pot": "100", "oop_stack": "100", "ip_stack": "100", "oop": "QQ,JJ,65s", "ip": "AA",
    "oop_river": "all-in", "ip_river": "all-in", "accuracy": "1", "name": "river",
}  # fmt: skip
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"runOnly": {"type": "tag", "values": LEVELS}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("served")
    main(["solve", "kuhn", "--iterations", "20", "--out", str(place / "kuhn")], standalone_mode=False)
    run(place, SPOT, lambda *_done, **_facts: None)
    origin = {"Origin": "http://localhost"}
    mine = {VISITOR: "v" * 22}
    with TestClient(make_app(place), base_url="http://localhost", headers=origin, cookies=mine) as client:
        client.app.state.jobs.start("count", "Count", {"to": 0})
        form = {"game": "holdem-nolimit", "players": "6", "opponent": "always-call", "seed": "5"}
        client.post("/table/start", data=form)
        over = client.post("/table/start", data=form).url.path
        decision = 0
        while 'data-over="0"' in client.get(over).text:
            sent = {"hand": 0, "decision": decision, "action": "c"}
            client.post(f"{over}/act", json=sent).raise_for_status()
            decision += 1
    return place


@pytest.fixture(scope="module")
def address(serve, folder):
    with serve(folder) as found:
        yield found


def broken_rules(browser):
    checker = axe.Axe(browser)
    checker.inject()
    found = checker.run(options=RULES)["violations"]
    return [f"{each['id']}: {node['html'][:200]} {node['failureSummary']}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 360)])
def test_rules_of_axe(browser, address, folder, scheme, width):
    wait = WebDriverWait(browser, 60)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    device = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
    tables = [f"table/{each.stem}" for each in (folder / ".kibitz-web" / "tables").glob("*.json")]
    assert len(tables) == 2
    browser.get(address)
    browser.add_cookie({"name": VISITOR, "value": "v" * 22})
    paths = [*PAGES, "spot/open?name=river&cell=QQ", "strategies/open?name=kuhn", *tables, "nothing"]
    wrong = []
    for path in paths:
        browser.get(f"{address}/{path}")
        if path in tables:
            browser.find_element(By.ID, "kibitz").click()
            wait.until(lambda _: browser.find_elements(By.CSS_SELECTOR, ".heat"))
        wrong += [f"{path}: {each}" for each in broken_rules(browser)]
    assert not wrong, "\n\n".join(wrong)
