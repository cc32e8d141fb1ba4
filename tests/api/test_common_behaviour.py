"""What every operation shares: authentication, rate limits, errors, ETags."""

import json

import pytest
from django.test import Client, override_settings

from accounts import api_tokens
from tests.api.conftest import API, JSON, Program

pytestmark = pytest.mark.django_db
ME = f"{API}/me/token/"


def problem(response, status: int, code: str) -> dict:
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    body = json.loads(response.content)
    assert (body["status"], body["code"]) == (status, code)
    assert body["type"] == f"/api/docs/#problem-{code}"
    assert body["title"]
    assert body["detail"]
    return body


class TestAuthentication:
    def test_a_token(self, as_bob):
        answer = as_bob.get("/me/token/")
        assert answer.json()["prefix"] == as_bob.token.prefix
        assert "Set-Cookie" not in answer.headers

    def test_nobody(self, visitor):
        answer = visitor.get("/me/token/")
        problem(answer, 401, "unauthenticated")
        assert answer["WWW-Authenticate"] == 'Bearer realm="api"'

    @pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer gauntlet_wrong", "Bearer é", "bearer x y"])
    def test_a_wrong_token(self, db, header):
        problem(Client().get(ME, headers={"Authorization": header.encode().decode("latin1")}), 401, "unauthenticated")

    def test_a_revoked_token(self, as_bob):
        assert as_bob.delete("/me/token/").status_code == 204
        problem(as_bob.get("/me/token/"), 401, "unauthenticated")

    def test_a_token_without_the_scope(self, bob):
        body = problem(Program(bob, "play").get("/me/token/"), 403, "missing-scope")
        assert "read" in body["detail"]

    def test_a_session_needs_the_csrf_token_for_changes(self, bob):
        page = Client(enforce_csrf_checks=True)
        page.force_login(bob)
        problem(page.get(ME), 409, "refused")
        problem(page.delete(ME), 403, "forbidden")


class TestProblems:
    @pytest.mark.parametrize("path", ["/api/", "/api/v1/", "/api/v1/nothing/", "/api/v2/me/", "/api/v1/me/token"])
    def test_unknown_addresses(self, db, path):
        for method in ("get", "post", "delete"):
            body = problem(getattr(Client(), method)(path), 404, "not-found")
            assert "/api/docs/" in body["detail"]

    def test_unknown_filters(self, visitor):
        body = problem(visitor.get("/tables/?stauts=open&limit=3"), 400, "invalid")
        assert list(body["errors"]) == ["stauts"]
        assert visitor.get("/tables/?status=open&limit=3").status_code == 200

    def test_unknown_pages(self, visitor):
        assert "cursor" in problem(visitor.get("/tables/?cursor=abc"), 404, "not-found")["detail"]

    def test_unknown_methods(self, as_bob):
        answer = Client().put(ME, headers=as_bob.headers)
        problem(answer, 405, "method-not-allowed")
        assert answer["Allow"] == "GET, HEAD, DELETE"

    def test_unknown_formats(self, as_bob):
        problem(as_bob.get("/me/token/", Accept="text/csv"), 406, "not-acceptable")

    def test_server_errors_reveal_nothing(self, as_bob, monkeypatch):
        monkeypatch.setattr(api_tokens, "revoke", lambda **_: 1 // 0)
        client = Client(raise_request_exception=False, headers=as_bob.headers)
        body = problem(client.delete(ME), 500, "internal")
        assert "division" not in str(body)


class TestRateLimit:
    def test_it_is_in_the_headers(self, as_bob):
        first, second = as_bob.get("/me/token/"), as_bob.get("/me/token/")
        assert first["RateLimit-Limit"] == "600"
        assert int(first["RateLimit-Remaining"]) - int(second["RateLimit-Remaining"]) == 1
        assert 0 < int(first["RateLimit-Reset"]) <= 60

    @override_settings(API_RATES={"token": 2, "address": 1})
    def test_each_token_has_its_own(self, bob, charlie):
        his, hers = Program(bob), Program(charlie)
        assert [his.get("/me/token/").status_code for _ in range(3)] == [200, 200, 429]
        assert hers.get("/me/token/").status_code == 200

    @override_settings(API_RATES={"token": 2, "address": 1})
    def test_the_refusal_says_when(self, visitor):
        visitor.get("/me/token/")
        answer = visitor.get("/me/token/")
        body = problem(answer, 429, "throttled")
        assert 0 < body["retry_after"] <= 60
        assert answer["Retry-After"] == str(body["retry_after"])
        assert answer["RateLimit-Remaining"] == "0"

    @override_settings(API_RATES={"token": 9, "address": 2})
    def test_guessing_tokens_counts_for_the_address(self, db):
        guess = {"Authorization": "Bearer gauntlet_guess"}
        assert [Client().get(ME, headers=guess).status_code for _ in range(3)] == [401, 401, 429]

    def test_without_the_cache_requests_are_served(self, as_bob, monkeypatch):
        monkeypatch.setattr("accounts.infra.rest.throttling.cache.incr", lambda key: 1 // 0)
        assert as_bob.get("/me/token/").status_code == 200


class TestTags:
    def test_what_has_not_changed_is_not_sent_again(self, as_bob):
        first = as_bob.get("/me/token/")
        assert first["Cache-Control"] == "private, no-cache"
        assert "Authorization" in first["Vary"]
        again = as_bob.get("/me/token/", **{"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        assert as_bob.get("/me/token/", **{"If-None-Match": '"other"'}).status_code == 200

    def test_every_answer_has_an_id(self, as_bob):
        assert len(as_bob.get("/me/token/")["X-Request-ID"]) == 32
        assert JSON in as_bob.get("/me/token/")["Content-Type"]
