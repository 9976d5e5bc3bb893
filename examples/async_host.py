"""An async host: calls in worker threads, a permission on the event loop, and a call that is cancelled."""

from __future__ import annotations

import asyncio
import tempfile

from mmtools import Choice, Decision, PermissionRequest, local


class Dialog:
    """A question asked somewhere that takes its time; `decide` is awaited on the host's own loop."""

    async def decide(self, request: PermissionRequest) -> Decision:
        await asyncio.sleep(0.01)
        print(f"? {request.title}")
        return Decision(Choice.ALLOW_ONCE)


async def main() -> None:
    with tempfile.TemporaryDirectory() as root:
        async with local.mm(root, permission=Dialog()) as runner:
            first, second = await runner.acall_many(
                [("bash", {"command": "echo one"}), ("bash", {"command": "echo two"})]
            )
            print(first.text + second.text, end="")

            slow = asyncio.create_task(runner.aexecute("bash", {"command": "sleep 600"}))
            await asyncio.sleep(0.1)
            slow.cancel()
            try:
                await slow
            except asyncio.CancelledError:
                print("cancelled, and the child is dead")


if __name__ == "__main__":
    asyncio.run(main())
