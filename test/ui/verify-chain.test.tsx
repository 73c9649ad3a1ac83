import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { afterEach, expect, it, vi } from "vitest";
import { VerifyChain } from "@/app/(console)/activity/verify-chain";
import { get } from "@/lib/platform/http/client";
import { stubApi, type StubbedAnswer } from "@/test/support/console-stubs";

/* P15: the console asks the server whether the audit trail is whole, and says what came of it. */

afterEach(() => {
  vi.unstubAllGlobals();
});

const paths: string[] = [];
function show(...answers: StubbedAnswer[]) {
  paths.length = 0;
  stubApi(({ path }) => {
    paths.push(path);
    return answers[paths.length - 1] ?? { status: 500, message: "Asked too often" };
  });
  render(
    <SWRConfig value={{ fetcher: get, provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
      <VerifyChain />
    </SWRConfig>,
  );
}
const verify = async () => userEvent.click(screen.getByRole("button", { name: "Verify all events" }));
const verdict = (is_whole: boolean, broken_at: number | null) => ({
  data: { is_whole, event_count: 1234, broken_at },
});

it("P15: asks only when it is told to, and tells of a whole chain how many events it has", async () => {
  show(verdict(true, null));
  expect(paths).toEqual([]);
  await verify();
  expect(await screen.findByText("1,234 events verified: none changed, none missing")).toBeVisible();
  expect(paths).toEqual(["/api/v1/audit/verify"]);
});

it("P15: asks again, and names the event at which the chain is broken", async () => {
  show(verdict(true, null), verdict(false, 77));
  await verify();
  await screen.findByText(/none changed/);
  await verify();
  expect(await screen.findByText("The chain of 1,234 events is broken at event 77")).toBeVisible();
  expect(screen.queryByText(/none changed/)).not.toBeInTheDocument();
});

it("P15: says when it could not be found out", async () => {
  show({ status: 503, message: "Service unavailable" });
  await verify();
  expect(await screen.findByRole("alert")).toHaveTextContent("Service unavailable");
});
