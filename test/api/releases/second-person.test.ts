import { beforeEach, describe, expect, it, vi } from "vitest";
import * as actionRoute from "@/app/api/v1/applications/action/route";
import * as administratorRoute from "@/app/api/v1/applications/administrator/route";
import * as autoRoute from "@/app/api/v1/applications/auto/route";
import * as passthroughRoute from "@/app/api/v1/applications/passthrough/route";
import * as priorityRoute from "@/app/api/v1/applications/priority/route";
import * as encryptionRoute from "@/app/api/v1/applications/rpcEncryption/route";
import * as loginRoute from "@/app/api/v1/login/route";
import * as groupsRoute from "@/app/api/v1/groups/route";
import * as groupsPromote from "@/app/api/v1/groups/promote/route";
import * as rejectRoute from "@/app/api/v1/releases/approvals/[id]/reject/route";
import * as approvalRoute from "@/app/api/v1/releases/approvals/[id]/route";
import * as approvalsRoute from "@/app/api/v1/releases/approvals/route";
import * as returnRoute from "@/app/api/v1/releases/[n]/return/route";
import * as releasesRoute from "@/app/api/v1/releases/route";
import * as tokensRoute from "@/app/api/v1/tokens/route";
import * as bulkRoute from "@/app/api/v1/ui/applications/bulk/route";
import * as countersRoute from "@/app/api/v1/ui/counters/route";
import { readRevision } from "@/lib/platform/db/revision";
import { isOwn } from "@/lib/releases/approvals/queries";
import { publishDue } from "@/lib/releases/schedule/publish-due";
import { ApprovalRequestModel } from "@/models/approval-request";
import { AuditEventModel } from "@/models/audit-event";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { findFlags, findVersion, setFlags, storeApp } from "@/test/support/applications";
import { withDatabase } from "@/test/support/database";
import { endMailServers, readMail, startMailServer } from "@/test/support/mail-server";
import { asPerson, callAs, usePeople } from "@/test/support/people";
import { aRequest } from "@/test/support/requests";
import { beginWithFirstRelease, neededBodies, rpcBody, stageGroup } from "@/test/support/releases";
import { useSettings } from "@/test/support/settings";

/* The second person (`people.md` P9). */

withDatabase();
endMailServers();
beforeEach(async () => {
  useSettings({});
  await beginWithFirstRelease();
  await stageGroup("Seats");
  usePeople({ PUBLISH_APPROVALS: "releases" });
});

const paula = asPerson("Paula", "publisher");
const peter = asPerson("Peter", "publisher");
const eddie = asPerson("Eddie", "editor");
const publish = (who: Record<string, string>, body: object = {}) =>
  callAs(who, releasesRoute.POST, { body: { items: "all", ...body } });
const approve = (who: Record<string, string>, id: number) =>
  callAs(who, approvalRoute.POST, { method: "POST", params: { id: String(id) } });
const ask = async (): Promise<number> => (await publish(paula)).data.approval.id;
const reject = (who: Record<string, string>, id: number, body: object) =>
  callAs(who, rejectRoute.POST, { body, params: { id: String(id) } });
const look = async (who: Record<string, string>, id: number) =>
  (await callAs(who, approvalRoute.GET, { params: { id: String(id) } })).data;
const list = async (who: Record<string, string>) => (await callAs(who, approvalsRoute.GET)).data.approvals;
const backTo = (n: string) => callAs(paula, returnRoute.POST, { body: { name: "Back" }, params: { n } });
const alert = rpcBody("Alert", ["FULL"]);
const newest = () => ReleaseModel.findOne({}).sort({ _id: -1 }).lean();
const countReleases = () => ReleaseModel.countDocuments({});
/** Stages a change of a group: nobody has to approve that. */
async function change(name: string, members: object): Promise<void> {
  const body = { name, is_default: false, rpcs: [], user_consent_prompt: null, ...members };
  expect((await callAs(eddie, groupsRoute.POST, { body })).status).toBe(200);
}

it("P9: what one person publishes waits; another one approves it, and both are on record", async () => {
  const { status, data } = await publish(paula, { name: "Seats" });
  expect(status).toBe(200);
  expect(data).not.toHaveProperty("release");
  const { approval } = data;
  expect(approval).toMatchObject({ kind: "publish", path: `/changes?approval=${approval.id}`, name: "Seats" });
  expect(approval.items).toMatchObject([{ family: "group", key: "Seats" }]);
  expect(await countReleases()).toBe(1);

  const { status: approved, data: made } = await approve(peter, approval.id);
  expect(approved).toBe(200);
  expect(made.release).toMatchObject({
    ...{ kind: "release", name: "Seats" },
    author: { actor: "publisher", display_name: "Paula", display_name_verified: true },
    approved_by: { actor: "publisher", display_name: "Peter", display_name_verified: true },
  });
  expect(await list(paula)).toEqual([]);
  const events = await AuditEventModel.find({ action: /^approvals\./ })
    .sort({ _id: 1 })
    .lean();
  expect(events.map(({ action, displayName }) => [action, displayName])).toEqual([
    ["approvals.ask", "Paula"],
    ["approvals.approve", "Peter"],
  ]);
});

const ada = asPerson("Ada", "admin");
async function aProgram() {
  const made = await callAs(ada, tokensRoute.POST, { body: { name: "Pipeline", role: "publisher" } });
  return { authorization: `Bearer ${made.data.token}` };
}

it("P9: nobody approves their own, and neither does who must not publish, nor a program", async () => {
  const id = await ask();
  const program = await aProgram();
  const refused = { status: 403 };
  expect(await approve(paula, id)).toMatchObject({ ...refused, message: "You cannot approve your own request" });
  expect(await approve(eddie, id)).toMatchObject({ ...refused, message: expect.stringContaining("publisher") });
  const sentence = "Only a user with a verified name can approve";
  expect(await approve(program, id)).toMatchObject({ ...refused, message: sentence });
  expect(await approve({ "BASIC-AUTH-PASSWORD": "open sesame" }, id)).toMatchObject({ ...refused, message: sentence });
  expect((await list(paula))[0].refusal).toBe("You cannot approve your own request");
  expect((await list(peter))[0].refusal).toBeNull();
  expect(await countReleases()).toBe(1);
});

it("W6: the emergency password asks for nothing and approves nothing, also when the proxy or its user names who has it", async () => {
  const password = { "BASIC-AUTH-PASSWORD": "open sesame", "remote-user": "Percy" };
  const claimed = { "BASIC-AUTH-PASSWORD": "open sesame", "x-display-name": "Paula" };
  const notVerified = { status: 403, message: expect.stringContaining("your name is not verified") };
  for (const who of [password, claimed]) expect(await publish(who)).toMatchObject(notVerified);
  expect(await AuditEventModel.countDocuments({ action: "gate.refuse" })).toBe(2);
  const login = await loginRoute.POST(aRequest("/api/v1/login", { body: { password: "open sesame" } }));
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  const own = { host: "localhost:3000", origin: "http://localhost:3000" };
  const session = { ...own, cookie, "remote-user": "Percy" };
  expect((await publish(session)).status).toBe(403);
  expect(await ApprovalRequestModel.countDocuments({})).toBe(0);
  const id = await ask();
  const sentence = "Only a user with a verified name can approve";
  for (const who of [password, session])
    expect(await approve(who, id)).toMatchObject({ status: 403, message: sentence });
  expect(await countReleases()).toBe(1);
});

it("W6: another spelling of a name is the same person, or refused", async () => {
  const id = await ask();
  for (const name of ["PAULA", "paula", "Pa\u00adula", "Paul\u200ba", "\uff30aula"]) {
    const spelt = asPerson(Buffer.from(name).toString("latin1"), "publisher");
    expect([401, 403], name).toContain((await approve(spelt, id)).status);
  }
  expect(await countReleases()).toBe(1);
});

it("P9: whoever made a token does not approve what the program asks for", async () => {
  const { data } = await publish(await aProgram());
  expect(data.approval.author).toMatchObject({ display_name: "Pipeline" });
  expect(await approve(ada, data.approval.id)).toMatchObject({ status: 403 });
  expect(await approve(peter, data.approval.id)).toMatchObject({ status: 200 });
});

it("P9: whoever wrote any part of it since production took it does not approve it, nor who owns the token that did", async () => {
  const program = await aProgram();
  const save = async (who: Record<string, string>, description: string) => {
    const body = { name: "Seats", is_default: false, rpcs: [], user_consent_prompt: null, description };
    expect((await callAs(who, groupsRoute.POST, { body })).status).toBe(200);
  };
  await save(peter, "Warm");
  await save(program, "Warmer");
  await save(eddie, "Warmest");
  const id = await ask();
  const message = "You cannot approve what you or your API tokens changed";
  for (const who of [peter, ada]) {
    expect(await approve(who, id)).toMatchObject({ status: 403, message });
    expect((await list(who))[0].refusal).toBe(message);
  }
  expect((await approve(asPerson("Pia", "publisher"), id)).status).toBe(200);
  await save(eddie, "Hot");
  expect((await approve(peter, await ask())).status).toBe(200);
});

it("P9: a head that has moved since voids it", async () => {
  const id = await ask();
  await change("Seats", { description: "Warmer" });
  expect((await list(peter))[0].void_because).toContain("items have changed");
  const refused = await approve(peter, id);
  expect(refused).toMatchObject({ status: 409, data: { moved: [{ family: "group", key: "Seats" }] } });
  expect(await countReleases()).toBe(1);
});

it("P9: the promote routes answer 409 with the address of the review they made, the same one for the same again", async () => {
  const { _id } = (await FunctionalGroupModel.findOne({ name: "Seats" }).lean()) ?? {};
  const promote = () => callAs(paula, groupsPromote.POST, { body: { id: [_id] } });
  const { status, message, data } = await promote();
  expect([status, message]).toEqual([409, expect.stringContaining(data.approval.path)]);
  expect((await promote()).data.approval.id).toBe(data.approval.id);
  expect(await ApprovalRequestModel.countDocuments({})).toBe(1);
  expect(await FunctionalGroupModel.countDocuments({ name: "Seats", status: "PRODUCTION" })).toBe(0);
  expect(await approve(peter, data.approval.id)).toMatchObject({ status: 200 });
  expect(await FunctionalGroupModel.countDocuments({ name: "Seats", status: "PRODUCTION" })).toBe(1);
});

it("P9: a dry run and a refusal need nobody", async () => {
  const { data } = await publish(paula, { dry_run: true });
  expect(data).toMatchObject({ release: { number: 2 }, checks: [] });
  const ids = [{ family: "group", key: "Seats", id: 999_999 }];
  expect((await publish(paula, { items: ids })).data.moved).toHaveLength(1);
  expect(await ApprovalRequestModel.countDocuments({})).toBe(0);
});

it("P9, W4: a return that gives more needs it, and is void once production has changed; one that only takes away waits for nobody", async () => {
  await approve(peter, await ask());
  await change("Seats", { is_default: true, rpcs: [alert] });
  await approve(peter, await ask());
  expect((await backTo("2")).data.release).toMatchObject({ number: 4, kind: "return", approved_by: null });
  const { data } = await backTo("3");
  expect(data.approval).toMatchObject({ kind: "return", returned_to: 3, items: [{ family: "group", key: "Seats" }] });
  const [given] = (await look(peter, data.approval.id)).items;
  expect(given).toMatchObject({ family: "group", key: "Seats", title: "Seats", change: "change" });
  expect(given.fields).toContainEqual({ path: "is_default", before: false, after: true });
  await change("Seats", { description: "Warmer", is_default: true, rpcs: [alert, { ...alert, name: "Speak" }] });
  await approve(peter, await ask());
  expect((await list(peter))[0].void_because).toContain("items have changed");
  expect((await approve(peter, data.approval.id)).status).toBe(409);
  expect((await backTo("3")).data.release).toMatchObject({ kind: "return", returned_to: 3, approved_by: null });
  await backTo("2");
  const { data: made } = await approve(peter, (await backTo("3")).data.approval.id);
  expect(made.release).toMatchObject({ kind: "return", returned_to: 3, approved_by: { display_name: "Peter" } });
});

it("P9: what is scheduled is approved when it is scheduled, and published at its time", async () => {
  const at = new Date(Date.now() + 3_600_000);
  const { data } = await publish(paula, { at: at.toISOString() });
  expect(data.approval.at).toBe(at.toISOString());
  expect(await publishDue(new Date(at.getTime() + 1000))).toEqual([]);
  expect(await countReleases()).toBe(1);
  expect((await approve(peter, data.approval.id)).data.scheduled).toMatchObject([
    { author: { display_name: "Paula" } },
  ]);
  expect(await publishDue(new Date(at.getTime() + 1000))).toEqual([]);
  expect(await newest()).toMatchObject({
    author: { actor: "schedule", displayName: "Paula" },
    approvedBy: { displayName: "Peter" },
  });
});

const withdraw = (who: Record<string, string>, id: number) =>
  callAs(who, approvalRoute.DELETE, { method: "DELETE", params: { id: String(id) } });

it("P9a: only its author withdraws a request, waiting or rejected; the reason of the rejection stays until then", async () => {
  const id = await ask();
  const refused = { status: 403, message: expect.stringContaining("reject it with a reason") };
  for (const who of [peter, ada]) expect(await withdraw(who, id)).toMatchObject(refused);
  await reject(peter, id, { reason: "Not before winter" });
  for (const who of [peter, ada]) expect(await withdraw(who, id)).toMatchObject(refused);
  expect((await look(paula, id)).approval.rejected.reason).toBe("Not before winter");
  expect((await withdraw(eddie, id)).status).toBe(403);
  const revision = await readRevision();
  expect((await withdraw(paula, id)).status).toBe(200);
  expect(await readRevision()).toBe(revision);
  expect((await approve(peter, id)).status).toBe(404);
});

it("P9: a request is of who made it, by id, or by a token of theirs; of nobody else, whatever the name", () => {
  const of = (reader: Parameters<typeof isOwn>[1]) => isOwn({ askedBy: ["id-of-paula"] }, reader);
  const somebody = { id: "other", name: null, isVerified: false, proof: "session", role: "publisher" } as const;
  expect(of(null)).toBe(false);
  expect(of(somebody)).toBe(false);
  expect(of({ ...somebody, id: "id-of-paula" })).toBe(true);
  expect(of({ ...somebody, makerId: "id-of-paula" })).toBe(true);
  expect(of({ ...somebody, name: "Paula", isVerified: true })).toBe(false);
});

it("P9a: somebody else rejects it with a reason; nobody approves it then, and its author asks anew", async () => {
  const id = await ask();
  const reason = "Not before winter";
  const message = "reason must say why you reject the request";
  expect(await reject(peter, id, { reason: " " })).toMatchObject({ status: 400, message });
  expect((await reject(eddie, id, { reason })).status).toBe(403);
  expect((await reject(paula, id, { reason })).message).toContain("Withdraw your own request");
  expect((await reject(peter, id, { reason })).status).toBe(200);
  expect((await reject(peter, id, { reason })).status).toBe(409);
  const rejected = { reason, by: { display_name: "Peter" } };
  expect((await list(paula))[0]).toMatchObject({ id, is_own: true, rejected });
  expect(await approve(peter, id)).toMatchObject({ status: 409, message: expect.stringContaining("rejected") });
  expect(await countReleases()).toBe(1);
  const again = (await publish(paula)).data.approval;
  expect([again.id === id, again.rejected]).toEqual([false, null]);
  expect((await list(paula)).map((one: { id: number }) => one.id)).toEqual([again.id]);
  expect((await approve(peter, again.id)).status).toBe(200);
});

it("P9a: tells what it does: items by name, checks and effect, and the comments that an earlier version has stored", async () => {
  const id = await ask();
  const by = { actor: "editor", displayName: "Eddie" };
  await ApprovalRequestModel.updateOne({ _id: id }, { comments: [{ by, text: "Why now?", at: new Date() }] });
  const { approval, items, checks, effect } = await look(peter, id);
  expect(approval.comments).toMatchObject([{ by: { display_name: "Eddie" }, text: "Why now?" }]);
  expect(approval).toMatchObject({ id, is_own: false, refusal: null, items: [{ title: "Seats" }] });
  expect(items).toMatchObject([{ family: "group", key: "Seats", title: "Seats", change: "add" }]);
  expect([checks, effect.apps_changed]).toEqual([[], 0]);
});

it("P9a: the counter is of those that the reader can approve", async () => {
  await publish(paula);
  const count = async (who: Record<string, string>) => (await callAs(who, countersRoute.GET)).data.waiting_approvals;
  expect(await Promise.all([paula, peter, eddie].map(count))).toEqual([0, 1, 0]);
  const [asked] = await list(peter);
  await reject(peter, asked.id, { reason: "Not before winter" });
  expect(await count(peter)).toBe(0);
  await publish(paula);
  expect(await count(peter)).toBe(1);
  await change("Seats", { description: "Warmer" });
  expect((await list(peter))[0].void_because).toContain("have changed");
  expect(await count(peter)).toBe(0);
});

it("P9a: mail tells of a request once", async () => {
  const { port, received } = await startMailServer();
  usePeople({
    ...{
      PUBLISH_APPROVALS: "releases",
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: String(port),
      SMTP_FROM: "policy@example.com",
    },
    ...{ NOTIFY_APP_REVIEW_FREQUENCY: "REALTIME", NOTIFY_APP_REVIEW_EMAILS: "a@example.com" },
  });
  const { approval } = (await publish(paula, { name: "Winter" })).data;
  await publish(paula, { name: "Winter" });
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 10_000 });
  const { headers, text } = readMail(received[0]!);
  expect(headers.subject).toBe("Waiting for approval: Winter");
  expect(text).toContain("Paula requests your approval:");
  expect(text).toContain("- Seats");
  expect(text).toContain(approval.path);
});

describe("apps, with PUBLISH_APPROVALS=all", () => {
  beforeEach(() => usePeople({ PUBLISH_APPROVALS: "all" }));
  const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
  const decide = (who: Record<string, string>, id: number, body: object) =>
    callAs(who, actionRoute.POST, { body: { id, ...body } });

  it("P9: accepting one needs another person, a block never does", async () => {
    const id = await storeApp(uuid);
    const { status, data } = await decide(paula, id, { approval_status: "ACCEPTED" });
    expect([status, data.approval.kind]).toEqual([409, "decision"]);
    expect((await findVersion(id))?.approvalStatus).toBe("PENDING");
    expect(await look(peter, data.approval.id)).toMatchObject({
      ...{ approval: { items: [{ key: uuid, title: expect.not.stringContaining(uuid) }] } },
      ...{ items: [{ family: "app", change: "add" }], effect: { apps_changed: 1 } },
    });
    expect((await approve(peter, data.approval.id)).status).toBe(200);
    expect((await findVersion(id))?.approvalStatus).toBe("ACCEPTED");
    expect((await decide(eddie, id, { approval_status: "LIMITED", blacklist: true })).status).toBe(200);
    const accept = () => callAs(paula, autoRoute.POST, { body: { uuid, is_auto_approved_enabled: true } });
    const on = await accept();
    expect([on.status, on.data.approval.kind]).toEqual([409, "flag"]);
    const named = await look(peter, on.data.approval.id);
    expect(on.data.approval.title).toBe(`Approve later versions of ${named.items[0].title} automatically`);
    expect((await accept()).data.approval.id).toBe(on.data.approval.id);
    expect(named).toMatchObject({
      items: [{ key: uuid, fields: [{ path: "is_auto_approved_enabled", before: false, after: true }] }],
      effect: { apps_changed: 0 },
    });
    expect((await approve(peter, on.data.approval.id)).status).toBe(200);
    expect(await findFlags(uuid)).toMatchObject({ isAutoApprovedEnabled: true });
  });

  it("P9a: a setting is told with what it is and would be", async () => {
    await storeApp(uuid, "ACCEPTED");
    const body = { uuid, allow_unknown_rpc_passthrough: true };
    const { status, data } = await callAs(paula, passthroughRoute.POST, { body });
    expect([status, data.approval?.title]).toEqual([409, expect.stringMatching(/^Let .+ pass unknown RPCs/)]);
    expect(await look(peter, data.approval.id)).toMatchObject({
      items: [{ summary: "setting", fields: [{ path: "allow_unknown_rpc_passthrough", before: false, after: true }] }],
      effect: { apps_changed: 1, apps_gaining: 0, apps_losing: 0 },
    });
  });

  it("P9: what is approved is about the version that was decided, not about the one that vehicles get by it", async () => {
    const accepted = await storeApp(uuid, "ACCEPTED");
    const limited = await storeApp(uuid, "LIMITED");
    await setFlags(uuid, { isBlacklisted: true });
    const { status, data } = await decide(paula, limited, { approval_status: "LIMITED", blacklist: false });
    expect([status, data.approval.items]).toMatchObject([409, [{ family: "app", key: uuid, id: limited }]]);
    expect(data.approval.title).toMatch(/^Unblock /);
    expect((await look(peter, data.approval.id)).items).toMatchObject([{ key: uuid, fields: [] }]);
    expect((await approve(peter, data.approval.id)).status).toBe(200);
    expect((await findVersion(accepted))?.approvalStatus).toBe("ACCEPTED");
    expect(await findFlags(uuid)).toMatchObject({ isBlacklisted: false });
  });

  it("P9: apps that are published with groups are approved with them, as one release", async () => {
    const id = await storeApp(uuid, "STAGING");
    const { data } = await publish(paula);
    expect(data.approval.kind).toBe("publish");
    expect(data.approval.items).toMatchObject([
      { family: "group", key: "Seats" },
      { family: "app", key: uuid, id },
    ]);
    expect((await approve(peter, data.approval.id)).data.release).toMatchObject({ kind: "release" });
    expect((await findVersion(id))?.approvalStatus).toBe("ACCEPTED");
  });

  const onProduction = async (version: number, body: object = {}) => {
    await setFlags(uuid, { isBlacklisted: true });
    return decide(paula, version, { approval_status: "LIMITED", blacklist: false, ...body });
  };
  const flag = (handler: typeof autoRoute.POST, body: object) => callAs(paula, handler, { body: { uuid, ...body } });
  const publishBoth = () => publish(paula);
  it.each<[string, (accepted: number, pending: number) => Promise<{ data: any }>]>([
    ["a version to be accepted", (_, pending) => decide(paula, pending, { approval_status: "ACCEPTED" })],
    ["an app to be unblocked", (_, pending) => onProduction(pending)],
    ["an app to be unblocked and accepted", (_, pending) => onProduction(pending, { approval_status: "ACCEPTED" })],
    [
      "an app to be unblocked, its version moved to staging",
      (accepted) => onProduction(accepted, { approval_status: "STAGING" }),
    ],
    ["automatic approval", () => flag(autoRoute.POST, { is_auto_approved_enabled: true })],
    ["administrator groups", () => flag(administratorRoute.POST, { is_administrator_app: true })],
    ["unknown RPCs", () => flag(passthroughRoute.POST, { allow_unknown_rpc_passthrough: true })],
    ["a priority", () => flag(priorityRoute.POST, { priority: "EMERGENCY" })],
    [
      "groups and apps to be published",
      async (_, pending) => (await decide(paula, pending, { approval_status: "STAGING" }), publishBoth()),
    ],
    ["what is scheduled", () => publish(paula, { at: new Date(Date.now() + 3_600_000).toISOString() })],
  ])("P9a: the list says of %s whether it is void, as approving it does", async (what, asked) => {
    await change("Admins", { is_administrator_group: true, rpcs: [alert] });
    await approve(ada, await ask());
    const marks = { is_default: true, is_pre_data_consent: true, is_device: true };
    await change("Base", { ...marks, rpcs: [...neededBodies, alert] });
    const [accepted, pending] = [await storeApp(uuid, "ACCEPTED"), await storeApp(uuid)];
    const { id } = (await asked(accepted, pending)).data.approval;
    const first = async () => (await list(peter)).find((one: any) => one.id === id);
    const count = async () => (await callAs(peter, countersRoute.GET)).data.waiting_approvals;
    expect([(await first()).void_because, await count()]).toEqual([null, 1]);
    for (const version of [accepted, pending]) {
      const body = { id: version, encryption_required: true };
      expect((await callAs(paula, encryptionRoute.PUT, { method: "PUT", body })).status).toBe(200);
    }
    const { void_because: because } = await first();
    expect([because === null, await count()]).toEqual(
      /automatic|scheduled|to staging/.test(what) ? [true, 1] : [false, 0],
    );
    const { status, message } = await approve(peter, id);
    expect(status).toBe(because === null ? 200 : 409);
    if (because !== null) expect(message).toBe(because);
  });

  it.each([
    [
      "accept",
      "Approve 2 apps for production",
      { approval_status: "PENDING", is_blacklisted: false, denial_message: null },
    ],
    ["auto_on", "Approve later versions of 2 apps automatically", { is_auto_approved_enabled: false }],
  ])("P9: one decision about many apps (%s) is one request, approved in whole", async (decision, title, seen) => {
    const other = uuid.replace(/1$/, "2");
    const ids = [await storeApp(uuid), await storeApp(other)];
    const body = { decision, items: ids.map((id) => ({ id, seen })) };
    const bulk = async (more: object = {}) =>
      (await callAs(paula, bulkRoute.POST, { body: { ...body, ...more } })).data;
    expect((await bulk({ ask: false })).results).toMatchObject([{ outcome: "asked" }, { outcome: "asked" }]);
    expect(await list(peter)).toEqual([]);
    const { results, approval } = await bulk();
    const message = expect.stringContaining(`/changes?approval=${approval}`);
    expect(results).toMatchObject(ids.map((id) => ({ id, outcome: "asked", message })));
    expect((await bulk()).approval).toBe(approval);
    expect(await list(peter)).toMatchObject([{ id: approval, title, void_because: null, items: [{}, {}] }]);
    expect(await AuditEventModel.countDocuments({ action: "gate.refuse" })).toBe(0);
    expect((await approve(peter, approval)).status).toBe(200);
    for (const [at, one] of [uuid, other].entries()) {
      if (decision === "auto_on") expect(await findFlags(one)).toMatchObject({ isAutoApprovedEnabled: true });
      else expect((await findVersion(ids[at]!))?.approvalStatus).toBe("ACCEPTED");
    }
  });

  it("P9: without it one person accepts them", async () => {
    usePeople({ PUBLISH_APPROVALS: "releases" });
    expect((await decide(paula, await storeApp(uuid), { approval_status: "ACCEPTED" })).status).toBe(200);
  });
});
