"""A server in a thread and a headless Chromium; tests in a browser are skipped, with a message, where there is none."""

import shutil
import socket
import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn

from kibitz.web.app import make_app

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@contextmanager
def running(folder):
    """The address of a server of `folder`, which ends with the block."""
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


@pytest.fixture(scope="session")
def serve():
    return running


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("no browser: install chromium and chromium-driver to test the page")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for each in (*FLAGS.split(), f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_window_size(1440, 1000)
    yield driver
    driver.quit()
