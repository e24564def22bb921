"""Logs on the page: searched, replayed, uploaded, their players judged; and files that mean harm."""

import io
import lzma
import re
import tarfile
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import pytest
from starlette.testclient import TestClient

from kibitz.cli import main
from kibitz.io import files
from kibitz.io.files import read_records
from kibitz.io.listing import Search, read_listing
from kibitz.modelling.estimators import CheckDown, Coolers, Evaluation
from kibitz.web import logs
from kibitz.web.app import make_app
from kibitz.web.bodies import MOST_BYTES
from kibitz.web.replaying import replay
from kibitz.web.security import VISITOR

HOME = "http://localhost:8765"
EVIL = "<img/src=x/onerror=alert(1)>"
LINE = "STATE:{}:r300c/cr900c/cc/cc:AsAh|KdKc/2c3d4h/5s/6s:{}|{}:{}|{}\n"
POKERSTARS = """PokerStars Hand #{number}: Hold'em No Limit ($1/$2 USD) - 2020/01/01 12:00:00 ET
Table 'T' 2-max Seat #1 is the button
Seat 1: {one} ($200 in chips)
Seat 2: Bob ($200 in chips)
{one}: posts small blind $1
Bob: posts big blind $2
*** HOLE CARDS ***
{one}: raises $4 to $6
Bob: folds
Uncalled bet ($4) returned to {one}
{one} collected $4 from pot
*** SUMMARY ***
Total pot $4 | Rake $0
Seat 1: {one} (button) (small blind) collected ($4)
Seat 2: Bob (big blind) folded before Flop


"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A folder with a match of 120 hands, one of markup, and one that hides cards."""
    folder = tmp_path_factory.mktemp("served")
    log = str(folder / "match.log")
    main(
        ["match", "loose-passive", "always-call", "--hands", "120", "--seed", "2", "--log", log], standalone_mode=False
    )
    head = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 1 0\n"
    line = LINE.format(0, "900", "-900", EVIL, "Bob")
    (folder / f"{EVIL.replace('/', '')}.log").write_text(head + line)
    hidden = LINE.format(0, "900", "-900", "Ann", "Bob").replace("KdKc", "")
    (folder / "hidden.log").write_text(head + hidden)
    (folder / "stars.txt").write_text("".join(POKERSTARS.format(number=each, one=EVIL) for each in (1, 2)))
    (folder / "notes.txt").write_text("no hands in here\n")
    return folder


def client(folder):
    return TestClient(
        make_app(folder), base_url=HOME, headers={"Origin": HOME, "Accept": "text/html"}, cookies={VISITOR: "v" * 22}
    )


def get(page, path, /, **asked):
    answer = page.get(path, params=asked)
    assert answer.status_code == 200, answer.text
    assert "<img/src" not in answer.text
    assert "<imgsrc" not in answer.text
    return answer


def test_files_are_listed_by_what_is_in_them(served):
    text = get(client(served), "/logs").text
    assert text.count("<tr>") == 5  # the head and four files
    assert "pokerstars" in text
    assert "notes.txt" not in text


def test_hands_are_searched_as_the_log_tells_them(served):
    page = client(served)
    records = [*read_records(served / "match.log")]
    won = [each for each in records if each.returns[each.players.index("always-call")] > 0]
    asked = {"name": "match.log", "player": "always-call", "outcome": "won"}
    assert f"{len(won)} hands found, 1 to {min(50, len(won))} shown" in get(page, "/logs/open", **asked).text
    everything = get(page, "/logs/open", name="match.log", page="3").text
    assert "101 to 120 shown" in everything
    assert "Page 3 of 3" in everything
    listing = read_listing(served / "match.log")
    pots = [listing.hands[number].pot for number in listing.find(Search(order="pot", showdown=True, least=300))]
    assert pots == sorted((h.pot for h in listing.hands if h.showdown and h.pot >= 300), reverse=True)
    assert len(pots) > 5
    for wrong in ({"least": "x"}, {"order": "name"}, {"page": "-1"}, {"outcome": "x", "player": "always-call"}):
        assert page.get("/logs/open", params={"name": "match.log"} | wrong).status_code == 400


def test_a_hand_is_replayed_step_by_step(served):
    page = client(served)
    name = f"{EVIL.replace('/', '')}.log"
    begun = get(page, "/logs/hand", name=name, hand="0").text
    assert "Step 0 of 9" in begun
    view = replay(read_listing(served / name).hands[0], 3)
    assert view["table"]["pot"] == 600
    assert view["table"]["round"] == "flop"
    first, second = view["equities"]
    assert view["streets"] == ["preflop", "flop", "turn", "river"]
    assert first["shares"][0] == pytest.approx(81.0, abs=1.5)
    assert first["shares"][3] == pytest.approx(50)  # the board is a straight
    assert all(sum(each) == pytest.approx(100) for each in zip(first["shares"], second["shares"], strict=True))
    last = page.get("/logs/hand", params={"name": name, "hand": "0", "step": "99", "part": "1"}).json()
    assert last["step"] == last["last"] == 9
    assert "Departs from the rules" in last["html"]  # the log says +900, the cards say a split pot
    hidden = get(page, "/logs/hand", name="hidden.log", hand="0", step="9").text
    assert "Equity by street" not in hidden
    assert "+900" in hidden
    stars = get(page, "/logs/hand", name="stars.txt", hand="1", step="2").text
    assert "folds" in stars
    assert page.get("/logs/hand", params={"name": "match.log", "hand": "120"}).status_code == 404


def test_players_and_results_raw_and_luck_adjusted(served):
    page = client(served)
    assert "VP$IP" in get(page, "/logs/players", name="match.log").text
    get(page, "/logs/players", name="stars.txt")
    page.post("/logs/evaluate", data={"name": "match.log"})
    page.post("/logs/evaluate", data={"name": "hidden.log"})
    jobs = page.app.state.jobs
    while any(job.state == "running" for job in jobs.list()):
        time.sleep(0.05)
    text = get(client(served), "/logs/players", name="match.log").text
    evaluation = Evaluation("always-call", CheckDown(coolers=Coolers()))
    for record in read_records(served / "match.log"):
        evaluation.add(record)
    reduced = evaluation.result().reduced
    assert f"{reduced.mean:+,.0f}".replace("-", "−") + f"<small>± {reduced.half_width:,.0f}" in text
    assert "hides the cards of Bob" in get(page, "/logs/players", name="hidden.log").text


def send(page, name, content):
    return page.post("/logs/upload", params={"name": name}, content=content, headers={"Accept": "application/json"})


def test_uploads(served, tmp_path):
    page = client(tmp_path)
    log = (served / "match.log").read_bytes()
    first = send(page, "my match.log", log).json()["name"]
    home, _, name = first.rpartition("/")
    assert (home.startswith("uploads/"), name) == (True, "my-match.log")
    assert send(page, "../../../etc/x.log", log).json()["name"] == f"{home}/x.log"
    again = send(page, "..\\..\\.x.log", lzma.compress(log)).json()["name"]
    assert again.startswith(home)
    assert again.endswith("-x.log")
    assert send(page, EVIL, log).json()["name"].startswith(home)
    assert get(page, "/logs/open", name=first).status_code == 200
    kept = sorted(path.name for path in (tmp_path / home).iterdir())
    bomb = lzma.compress(b"STATE:0:" + b"c" * (70 << 20))
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        info = tarfile.TarInfo("../../escape.log")
        info.size = 4
        tar.addfile(info, io.BytesIO(b"none"))
    for content in (b"", b"\0" * 1000, b"hello", b"STATE:0:zz", lzma.compress(log)[:200], bomb, archive.getvalue()):
        answer = send(page, "bad.log", content)
        assert answer.status_code == 400
        assert str(tmp_path) not in answer.text
    assert send(page, "huge.log", b"x" * (MOST_BYTES + 1)).status_code == 413
    assert sorted(path.name for path in (tmp_path / home).iterdir()) == kept
    assert not (tmp_path.parent / "escape.log").exists()
    assert [*(tmp_path / ".kibitz-web").iterdir()] == []


def test_what_is_packed_is_unpacked_to_a_limit_only(served, tmp_path, monkeypatch):
    """Nothing behind the limit is read, neither of what is sent nor of what lies in the folder."""
    read = 0

    class Counting(lzma.LZMAFile):
        def read1(self, size=-1):
            nonlocal read
            data = super().read1(size)
            read += len(data)
            return data

    monkeypatch.setitem(files._MAGIC, b"\xfd7zXZ\0", Counting)
    page = client(tmp_path)
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        info = tarfile.TarInfo("zeros")
        info.size = 8 << 20
        tar.addfile(info, io.BytesIO(bytes(info.size)))
    bomb = lzma.compress(archive.getvalue(), preset=0)
    answer = send(page, "bomb.xz", bomb)
    assert answer.status_code == 400
    assert answer.json()["error"].endswith("bomb.xz: it unpacks to more than 1 MiB: unpack and split it")
    (tmp_path / "bomb.xz").write_bytes(bomb)
    assert "bomb.xz" not in get(page, "/logs").text
    assert read < 3 << 20


def test_a_file_of_broken_lines_ends_with_the_most_that_is_read(tmp_path):
    head = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 1 0\n"
    path = tmp_path / "long.log"
    path.write_text(head + "STATE:x\n" * 50)
    listing = read_listing(path, most=20)
    assert len(listing.refused) <= 20
    assert listing.is_cut
    assert not read_listing(path, most=60).is_cut


def test_styles_are_those_of_the_hands_that_are_shown(tmp_path, monkeypatch):
    head = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 1 0\n"
    hands = [LINE.format(number, "0", "0", *names) for number in range(9) for names in (("Ann", "Bob"), ("Bob", "Ann"))]
    (tmp_path / "long.log").write_text(head + "".join(hands) + "STATE:broken\n")
    page = client(tmp_path)
    assert page.get("/logs/players", params={"name": "long.log"}).text.count('<td class="number">18</td>') == 2
    logs._listing.cache_clear()
    logs._styles.cache_clear()
    monkeypatch.setattr(logs, "read_listing", lambda path: read_listing(path, most=5))
    text = get(page, "/logs/players", name="long.log").text
    assert text.count('<td class="number">5</td>') == 2


def test_long_uploads_keep_no_other_page_waiting(tmp_path, monkeypatch):
    """More uploads at once than there are threads for requests."""
    gate, begun = Event(), Semaphore(0)

    def wait(path, **_limits):
        begun.release()
        gate.wait(60)
        return read_listing(path)

    monkeypatch.setattr(logs, "read_listing", wait)
    with client(tmp_path) as page, ThreadPoolExecutor(45) as senders:
        sent = [senders.submit(send, page, "x.log", b"STATE:x\n") for _ in range(45)]
        assert begun.acquire(timeout=60)
        try:
            assert page.get("/table").status_code == 200
            assert not any(each.done() for each in sent)
        finally:
            gate.set()
        assert {each.result().status_code for each in sent} == {400}


@pytest.mark.parametrize("name", ["../x.log", "/etc/passwd", "", "none.log", "a\0b", "notes.txt", "."])
def test_names_that_lead_nowhere(served, name):
    page = client(served)
    for path in ("/logs/open", "/logs/hand", "/logs/players"):
        answer = page.get(path, params={"name": name})
        assert answer.status_code == (404 if name == "none.log" else 400)
        assert str(served) not in answer.text
    assert page.post("/logs/evaluate", data={"name": name}).status_code == answer.status_code


def test_long_logs_are_cut_and_broken_lines_told(tmp_path):
    head = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 1 0\n"
    lines = [LINE.format(number, "0", "0", "Ann", "Bob") for number in range(30)]
    path = tmp_path / "long.log"
    path.write_text(head + "".join(lines) + "STATE:30:r1:|:1|1:Ann|Bob\nSTATE:31:broken\n")
    listing = read_listing(path, most=20)
    assert (len(listing.hands), listing.is_cut) == (20, True)
    page = client(tmp_path)
    text = get(page, "/logs/open", name="long.log").text
    assert "What could not be read" in text
    assert "long.log:33" in text
    assert str(tmp_path) not in text


def test_money_is_shown_and_searched_as_the_log_writes_it(tmp_path):
    name, text = "cents.txt", POKERSTARS.format(number=1, one="Ann")
    text = re.sub(r"\$(\d+)", lambda dollars: f"${int(dollars[1]) / 100:.2f}", text)
    (tmp_path / name).write_text(text)
    page = client(tmp_path)
    assert '<td class="number">$0.04</td>' in get(page, "/logs/open", name=name).text
    for least, most, found in (("0.04", "0.04", 1), ("0.05", "", 0), ("", "0.03", 0)):
        told = get(page, "/logs/open", name=name, least=least, most=most).text
        assert f"{found} hand{'' if found == 1 else 's'} found" in told
    over = get(page, "/logs/hand", name=name, hand="0", step="9").text
    for shown in ("Pot <b>$0.04</b>", "Ann raises to $0.06", "+$0.02"):
        assert shown in over
