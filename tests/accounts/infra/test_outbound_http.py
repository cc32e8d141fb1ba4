"""Where webhooks may lead."""

import socket
import threading

import pytest

from accounts.infra import outbound_http
from accounts.infra.errors import Refused
from accounts.tasks import deliver_webhook
from tests.accounts.webhook_factories import hook, made, owed, receiver, sent, stories

__all__ = ["hook", "receiver", "sent", "stories"]

REFUSED = [
    "0.1.2.3", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.8.8.8", "168.63.129.16", "169.254.0.1",
    "172.31.255.254", "192.0.0.9", "192.0.0.192", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1",
    "192.168.255.1", "192.175.48.1", "198.19.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.251", "239.1.1.1",
    "240.0.0.1", "255.255.255.255",
    "::", "::1", "::2", "::7f00:1", "::5db8:d822", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0:a00:1",
    "64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b:1::5db8:d822", "100::1", "100:0:0:1::1", "1fff::1",
    "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:a00:1::", "2002:5db8:d822::",
    "2a00:1450::5efe:a00:1", "2a00:1450::200:5efe:c0a8:1", "3fff::1", "4000::1", "5f00::1", "fc00::1", "fd12::1",
    "fd00:ec2::254", "fe80::1", "febf::1", "fec0::1", "ff02::1",
]  # fmt: skip
PUBLIC = ["93.184.216.34", "1.1.1.1", "172.32.0.1", "192.0.1.1", "2a00:1450:4001::200e", "64:ff9b::5db8:d822"]


class TestWhereItMayGo:
    @pytest.mark.parametrize(
        "url",
        [
            "http://127.0.0.1/",
            "http://10.1.2.3:8080/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.64.0.1/",
            "http://0.0.0.0/",
            "http://[::1]/",
            "http://[fe80::1]/",
            "http://[fd00::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[64:ff9b::a00:1]/",
            "http://[2002:7f00:1::]/",
            "http://224.0.0.1/",
            "ftp://example.org/",
            "file:///etc/passwd",
            "//example.org/",
            "https://user:password@example.org/",
            "https://example.org:99999/",
            "https://exa mple.org/",
            "javascript:alert(1)",
            "",
        ],
    )
    def test_not_into_private_networks_nor_by_other_ways(self, club, alice, url):
        with pytest.raises(Refused):
            made(club, alice, url)
        with pytest.raises(outbound_http.Forbidden):
            outbound_http.post(url, b"{}", {})

    @pytest.mark.parametrize("address", REFUSED)
    def test_the_list_of_refused_networks(self, address):
        """Checked without connecting: this Python may call some of them global."""
        host = f"[{address}]" if ":" in address else address
        with pytest.raises(outbound_http.Forbidden):
            outbound_http.validate_url(f"https://{host}/hook")

    @pytest.mark.parametrize("address", PUBLIC)
    def test_public_addresses_are_not_refused(self, address):
        host = f"[{address}]" if ":" in address else address
        assert outbound_http.validate_url(f"https://{host}/hook").hostname == address

    @pytest.mark.parametrize("answers", [["127.0.0.1"], ["93.184.216.34", "10.0.0.8"], ["::1"]])
    def test_a_name_that_leads_inside_is_refused_before_anything_connects(
        self, club, alice, receiver, settings, monkeypatch, answers
    ):
        settings.WEBHOOKS_TO_PRIVATE = False
        asked = []

        def looked_up(host, port, **_options):
            asked.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in answers]

        def connected(*_arguments, **_options):
            raise AssertionError("it connected")

        monkeypatch.setattr(socket, "getaddrinfo", looked_up)
        monkeypatch.setattr(socket, "create_connection", connected)
        made(club, alice, "http://inside.example/")
        delivery = owed(club)
        deliver_webhook(delivery.pk)
        delivery.refresh_from_db()
        assert asked == ["inside.example"]
        assert (delivery.status, delivery.answer) == ("failed", "the address leads into a private network")
        assert not receiver.got

    def test_the_connection_goes_to_the_address_that_was_checked(self, receiver, monkeypatch):
        """A name is looked up once: what it answers afterwards does not matter."""
        answers = [["127.0.0.1"], ["203.0.113.9"]]

        def looked_up(host, port, **_options):
            if host != "rebinding.example":  # the connection itself asks for a plain address
                assert host == "127.0.0.1"
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in answers.pop(0)]

        monkeypatch.setattr(
            socket, "getaddrinfo", lambda host, port, *_args, **options: looked_up(host, port, **options)
        )
        answer = outbound_http.post(f"http://rebinding.example:{receiver.port}/x", b"{}", {})
        assert answer.code == 204
        assert receiver.got[0][1]["host"] == f"rebinding.example:{receiver.port}"

    def test_at_home_everything_but_the_metadata_of_clouds(self, settings):
        settings.WEBHOOKS_TO_PRIVATE = True
        assert outbound_http.validate_url("http://192.168.1.7:8080/hook").port == 8080
        assert outbound_http.validate_url("http://[::1]:8080/hook").port == 8080
        assert outbound_http.validate_url("http://[fd12::7]/hook")
        for metadata in ("169.254.169.254", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "[fe80::1]", "192.0.0.192"):
            with pytest.raises(outbound_http.Forbidden):
                outbound_http.validate_url(f"http://{metadata}/")

    def test_a_receiver_that_dribbles_is_cut_off(self, settings, monkeypatch):
        settings.WEBHOOKS_TO_PRIVATE = True
        monkeypatch.setattr(outbound_http, "TOTAL_TIMEOUT", 0.3)
        done = threading.Event()
        with socket.create_server(("127.0.0.1", 0)) as server:

            def dribble() -> None:
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 20")
                    done.wait(60)

            thread = threading.Thread(target=dribble)
            thread.start()
            try:
                with pytest.raises(outbound_http.Unreachable, match="no answer in time"):
                    outbound_http.post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {})
            finally:
                done.set()
                thread.join()

    def test_a_huge_answer_is_read_only_so_far(self, receiver):
        receiver.code, receiver.answer = 200, b"x" * 200_000
        assert len(outbound_http.post(receiver.url, b"{}", {}).body) == outbound_http.MAX_RESPONSE_BYTES

    def test_nobody_there(self, club, alice, settings):
        settings.WEBHOOKS_TO_PRIVATE = True
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        made(club, alice, f"http://127.0.0.1:{port}/")
        delivery = owed(club)
        deliver_webhook(delivery.pk)
        delivery.refresh_from_db()
        assert (delivery.status, delivery.code, delivery.answer) == ("waiting", None, "it refuses connections")
