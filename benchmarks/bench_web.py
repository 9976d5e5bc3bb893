"""Claim: fetching a page costs what the transfer and the extraction library cost."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import trafilatura
import urllib3

from benchmarks.measure import compare
from mmtools.adapters.guarded_web import GuardedWeb
from mmtools.adapters.trafilatura_pages import TrafilaturaPages
from mmtools.testing.calls import StubCall
from mmtools.tools.crab.web_fetch import WebFetch, WebFetchArgs
from mmtools.tools.operations.fetch_page import PageReader

SIZE = 1_000_000

PARAGRAPH = (
    "<p>Paragraph {n}: the harbour of <b>town {n}</b> freezes in its {n}. winter, and <a href='/ships/{n}'>ship {n}</a> "
    "waits for the thaw with a cargo of tea, copper and letters that nobody has read for {n} days.</p>\n"
)


def article(size: int) -> bytes:
    text = "".join(PARAGRAPH.format(n=n) for n in range(size // len(PARAGRAPH) + 1))
    head = "<html><head><title>Ships</title></head><body><nav><a href='/'>Home</a></nav><article><h1>Ships</h1>"
    return f"{head}{text}</article><footer>The end</footer></body></html>".encode()


class Article(BaseHTTPRequestHandler):
    """A server of the same page at every path."""

    page = article(SIZE)

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.page)))
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Article) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        pool = urllib3.PoolManager()
        fetcher = GuardedWeb(allow_addresses=["127.0.0.0/8"])
        tool = WebFetch(reader=PageReader(fetcher=fetcher, pages=TrafilaturaPages(), max_output=2 * SIZE))

        def fetched() -> str:
            return tool.execute(WebFetchArgs(url=url), StubCall())

        def raw() -> str:
            answer = pool.request("GET", url, headers={"Connection": "close"})
            return trafilatura.extract(answer.data, output_format="markdown", include_comments=False) or ""

        assert raw().split("\n")[-1] in fetched()
        compare("web_fetch: an article of 1 MB from loopback", fetched, raw, target="<= 1.2x", rounds=9)
        server.shutdown()
