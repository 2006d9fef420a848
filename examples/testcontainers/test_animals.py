"""The same test in Python. Its syntax is checked here, but it was not run, because there was no Docker.

Build the image in a clone with: docker build -t animal-store .
Then: pip install testcontainers pytest && pytest test_animals.py
"""

import json
import time
import urllib.error
import urllib.request

import pytest
from testcontainers.core.container import DockerContainer

PORT = 4010
SECONDS_TO_START = 30


def fetch(url):
    request = urllib.request.Request(url, headers={"Authorization": "Bearer test-key"})
    with urllib.request.urlopen(request) as response:
        return response.read()


def wait_until_ready(origin):
    end = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            return fetch(f"{origin}/health")
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


@pytest.fixture(scope="module")
def base_url():
    container = DockerContainer("animal-store").with_env("ANIMAL_STORE_NO_CHECKED_PROXY", "true")
    with container.with_exposed_ports(PORT) as mock:
        origin = f"http://{mock.get_container_host_ip()}:{mock.get_exposed_port(PORT)}"
        wait_until_ready(origin)
        yield f"{origin}/v1"


def test_the_list_has_at_most_as_many_animals_as_its_limit(base_url):
    assert len(json.loads(fetch(f"{base_url}/pets?limit=2"))) == 2
