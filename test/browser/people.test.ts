import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { startLoginProcess } from "@/test/support/login";
import { rpcBody } from "@/test/support/releases";
import { freePort } from "@/test/support/server";

/* A day of people with different roles, who sign in at an identity provider (`people.md`). */

const port = await freePort();
const login = await startLoginProcess(`http://127.0.0.1:${port}`);
afterAll(() => login.stop());
const env = { ...login.env, PUBLISH_APPROVALS: "releases" };
const { open } = withConsole({ env, port, others: [login.env.OIDC_ISSUER ?? ""] });

async function openAs(person: string, path: string) {
  const opened = await open();
  const { page, goto } = opened;
  await goto(path);
  await page.getByRole("heading", { name: "Sign in to the policy server" }).waitFor();
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Sign in with your account" }).click();
  await page.getByRole("link", { name: person }).click();
  const { pathname } = new URL(path, page.url());
  await page.waitForURL((url) => url.port === String(port) && url.pathname === pathname);
  await goto(path);
  return opened;
}
const publishButton = (page: Page) => page.getByRole("button", { name: /^Request to publish \d+ changes?$/ });
const ask = async (page: Page, path: string, data?: unknown): Promise<any> => {
  const headers = { origin: new URL(page.url()).origin };
  const call = page.context().request;
  return (await (data === undefined ? call.get(path) : call.post(path, { data, headers }))).json();
};
async function stage(page: Page, name: string) {
  const saved = await ask(page, "/api/v1/groups", { name, is_default: false, rpcs: [rpcBody("Show", ["FULL"])] });
  expect(saved.meta.code).toBe(200);
}
async function requestToPublish(page: Page) {
  await publishButton(page).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Request to publish 1 change" }).click();
  await page.getByText("Another publisher has to approve this").waitFor();
}

it("an editor stages, a publisher asks, a second person approves, a viewer sees it, and the activity tells of it", async () => {
  const editor = await openAs("Eddie Editor", "/functionalgroups");
  await stage(editor.page, "Evening-1");
  await editor.goto("/changes?items=group:Evening-1");
  await publishButton(editor.page).waitFor();
  expect(await publishButton(editor.page).getAttribute("aria-disabled")).toBe("true");
  expect(await publishButton(editor.page).getAttribute("title")).toBe(
    "This needs the role publisher; you are an editor.",
  );
  await expectNoViolations(editor.page);

  const publisher = await openAs("Paula Publisher", "/changes?items=group:Evening-1");
  await requestToPublish(publisher.page);
  const own = publisher.page.getByRole("region", { name: "Waiting for approval" });
  const approve = own.getByRole("button", { name: "Approve…" });
  await approve.waitFor();
  expect(await approve.getAttribute("aria-disabled")).toBe("true");
  await expectNoViolations(publisher.page);

  const second = await openAs("Ada Admin", "/changes");
  await second.page.getByRole("link", { name: "1 request to approve" }).waitFor();
  const waiting = second.page.getByRole("region", { name: "Waiting for approval" });
  await waiting.getByText(/requested by Paula Publisher/).waitFor();
  await waiting.getByRole("button", { name: "Approve…" }).click();
  await second.page.getByRole("alertdialog").getByRole("button", { name: "Approve" }).click();
  await second.page.getByText("Approved", { exact: true }).waitFor();
  const { data } = await ask(second.page, "/api/v1/groups?environment=production&search=Evening-1");
  expect(data.groups).toHaveLength(1);

  const viewer = await openAs("Vera Viewer", "/releases");
  const [newest] = (await ask(viewer.page, "/api/v1/releases?limit=1")).data.releases;
  expect(newest.author.display_name).toBe("Paula Publisher");
  await viewer.goto(`/releases/${newest.number}`);
  await viewer.page.getByText("Evening-1").first().waitFor();
  await viewer.page
    .getByText(/Ada Admin/)
    .first()
    .waitFor();
  await viewer.goto("/activity");
  await expectNoViolations(viewer.page);
  await viewer.page.getByRole("textbox", { name: "Release" }).fill(String(newest.number));
  await viewer.page.getByRole("button", { name: "Filter" }).click();
  await viewer.page.waitForURL(/release=\d/);
  const rows = viewer.page.getByRole("table").getByRole("row");
  await rows.filter({ hasText: "Evening-1" }).first().waitFor();
  await rows
    .filter({ hasText: /Ada Admin.*approved the request for approval/ })
    .first()
    .waitFor();
  await viewer.page.getByRole("button", { name: "Verify all events" }).click();
  await viewer.page.getByText(/events verified: none changed, none missing/).waitFor();
  await expectNoViolations(viewer.page);
  viewer.problems.allow(/no-access/);
  await viewer.goto("/access");
  await viewer.page.getByRole("heading", { name: "No access" }).waitFor();
});

it("P9a: another person reads what a request does and rejects it in three clicks; its author reads why", async () => {
  const publisher = await openAs("Paula Publisher", "/functionalgroups");
  await stage(publisher.page, "Morning-1");
  await publisher.goto("/changes?items=group:Morning-1");
  await requestToPublish(publisher.page);

  const second = await openAs("Ada Admin", "/changes");
  await second.page.getByRole("link", { name: "Publish 1 change", exact: true }).click();
  await second.page.getByRole("heading", { level: 1, name: "Publish 1 change" }).waitFor();
  await second.page.getByRole("region", { name: "Changes" }).getByText("Show").first().waitFor();
  await expectNoViolations(second.page);
  const clicks = await countClicks(second.page);
  await second.page.getByRole("button", { name: "Reject…" }).click();
  const dialog = second.page.getByRole("alertdialog");
  await dialog.getByRole("textbox", { name: "Reason" }).click();
  await second.page.keyboard.type("Not before winter");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await second.page.getByText("Request rejected").waitFor();
  expect(await clicks()).toBe(3);

  await publisher.goto("/changes");
  const own = publisher.page.getByRole("region", { name: "Waiting for approval" });
  await own.getByText(/Rejected by.*Not before winter/).waitFor();
  await own.getByRole("button", { name: "Withdraw…" }).click();
  await publisher.page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
  await publisher.page.getByText("Request withdrawn").waitFor();
});

it("P4a: an administrator ends somebody else's session, and everybody sees their own", async () => {
  const vera = await openAs("Vera Viewer", "/you");
  await vera.page.getByRole("region", { name: "Your sessions" }).getByText("(this one)").waitFor();
  await expectNoViolations(vera.page);
  const { page } = await openAs("Ada Admin", "/access");
  const all = page.getByRole("region", { name: "Sessions", exact: true });
  const ofVera = all.getByRole("button", { name: "End the session of Vera Viewer" });
  const before = await ofVera.count();
  await ofVera.first().click();
  await expectNoViolations(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "End", exact: true }).click();
  await expect.poll(() => ofVera.count()).toBe(before - 1);
  await expectNoViolations(page);
  // Her page goes on asking until she does something.
  vera.problems.allow(/401/);
  await vera.goto("/applications");
  await vera.page.getByRole("heading", { name: "Sign in to the policy server" }).waitFor();
});
