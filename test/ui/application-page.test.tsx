import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import ApplicationPage from "@/app/(console)/applications/[id]/page";
import type { ApplicationDetail } from "@/lib/apps/applications/console/detail-queries";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { anApplicationDetail } from "@/test/support/application-detail";
import { aMatrix } from "@/test/support/simulations";
import { seeToast } from "@/test/support/toasts";
import { router } from "@/test/support/navigation";
import {
  api,
  bodies,
  button,
  choose,
  expectBodies,
  expectLink,
  expectNotFound,
  expectRedirect,
  field,
  holdAnswers,
  isOff,
  press,
  question,
  region,
  showPage,
  texts,
  type,
} from "@/test/support/page";

const read = vi.hoisted(() => ({
  ...{ address: vi.fn(), detail: vi.fn(), matrix: vi.fn(), segments: vi.fn(), certificate: vi.fn() },
  figures: vi.fn(),
}));
vi.mock("@/app/(console)/applications/[id]/queries", () => ({ loadAppFigures: read.figures, shownDays: 30 }));
vi.mock("@/lib/apps/applications/console/detail-queries", () => ({
  findAddressedVersion: read.address,
  loadApplicationDetail: read.detail,
}));
vi.mock("@/app/_simulator/queries", () => ({ loadMatrix: read.matrix }));
vi.mock("@/lib/apps/applications/policy-segments", () => ({ loadPolicySegments: read.segments }));
vi.mock("@/lib/certificates/app/stored-bundle", () => ({ loadAppCertificateState: read.certificate }));

const uuid = "7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa";
const segments = { staging: { keep_context: true }, production: "default", isOutdated: false, findings: [] };
beforeEach(() => {
  read.address.mockResolvedValue({ id: 41, isCanonical: true });
  read.matrix.mockResolvedValue(aMatrix());
  read.segments.mockResolvedValue(segments);
  read.certificate.mockResolvedValue({ kind: "off", missing: ["CERTIFICATE_PASSPHRASE"] });
});

const anUpdate = () => anApplicationDetail(["ACCEPTED", "PENDING"]);
async function show(shown: ApplicationDetail = anUpdate(), query: Record<string, string> | string = {}) {
  read.detail.mockResolvedValue(shown);
  const address = typeof query === "string" ? { tab: query } : query;
  const { redraw } = await showPage(ApplicationPage, "/applications/41", address, { id: "41" });
  return (next: ApplicationDetail) => {
    read.detail.mockResolvedValue(next);
    return redraw();
  };
}

/** The decisions stand in a bar for narrow screens, too. */
const decision = (name: string) => button(name, within(region("Decision")));
const toggle = (name: RegExp | string) => screen.getByRole("switch", { name });
const dialog = () => screen.findByRole("alertdialog");

describe("the head of the page", () => {
  it("says in words what vehicles get, with links to those versions", async () => {
    await show(anApplicationDetail(["ACCEPTED", "STAGING", "PENDING"]));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Tune Harbor");
    const facts = screen.getByText(/^Production serves/).closest("p");
    expect(facts).toHaveTextContent(
      /^Production serves v1\.0 \(approved .*\)\. Staging serves v2\.0\. You are viewing v3\.0, which vehicles do not receive\.$/,
    );
    expectLink("v1.0", "/applications/39", within(facts!));
    expectLink("v2.0", "/applications/40", within(facts!));
  });

  it("says that a blocked app gets nothing", async () => {
    await show(anApplicationDetail(["ACCEPTED", "LIMITED"], { is_blacklisted: true, denial_message: "Harmful" }));
    expect(screen.queryByRole("button", { name: "Block…" })).not.toBeInTheDocument();
    expect(screen.getByText(/This app is blocked: it gets nothing/)).toBeVisible();
    expect(screen.getByText("Harmful")).toBeVisible();
  });

  it("section 6, 14: shows what was never shown: uuid, description, countries, versions, level", async () => {
    await show(anUpdate(), "details");
    expect(screen.getByText("7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa")).toBeVisible();
    for (const text of ["Streams music.", "United States", "7d0c2a545b", "com.example.tuneharbor"]) {
      expect(region("General information")).toHaveTextContent(text);
    }
    expect(region("Versions")).toHaveTextContent("v1.0");
  });

  it("shows endpoint, transport and package of cloud and embedded apps only", async () => {
    await show(anApplicationDetail(["PENDING"], { platform: "CLOUD", cloud_endpoint: "wss://x.example" }), "details");
    expect(region("General information")).toHaveTextContent("wss://x.example");
    cleanup();
    const embedded = { platform: "EMBEDDED", transport_type: "webengine", entrypoint_path: "/index.html" };
    await show(anApplicationDetail(["PENDING"], { ...embedded, size_compressed_bytes: 12_345 }), "details");
    expect(screen.getByText("Entry point path").nextElementSibling).toHaveTextContent("/index.html");
    expect(region("General information")).toHaveTextContent("12,345 bytes packed, unknown unpacked");
    expect(screen.queryByText("Endpoint")).not.toBeInTheDocument();
  });
});

describe("what changed", () => {
  it("section 7: lists a changed HMI level", async () => {
    await show(
      anApplicationDetail(
        ["ACCEPTED", "PENDING"],
        { permissions: [{ key: "Alert", hmi_level: "HMI_BACKGROUND", type: "RPC" }] },
        { permissions: [{ key: "Alert", hmi_level: "HMI_FULL", type: "RPC" }] },
      ),
    );
    const changes = region("Changes");
    expect(changes).toHaveTextContent("Against v1.0, the version in production: 1 level changed");
    expect(within(changes).getByRole("listitem")).toHaveTextContent("Changed: Alert: FULL → BACKGROUND");
  });

  it("says when nothing has changed, and when there is nothing to compare with", async () => {
    await show();
    expect(region(/^Changes/)).toHaveTextContent("No changes that vehicles or drivers would notice.");
    cleanup();
    await show(anApplicationDetail(["PENDING"]));
    expect(region(/^Changes/)).toHaveTextContent("First submission");
  });

  it("finding E2: a first submission lists what it asks for, the riskiest first, and what it would be given", async () => {
    const asks = (key: string, type: "RPC" | "PARAMETER" | "MODULE") => ({ key, type, hmi_level: "HMI_FULL" as const });
    const parameters = [asks("speed", "PARAMETER"), asks("gps", "PARAMETER")];
    const permissions = [asks("Show", "RPC"), asks("RADIO", "MODULE"), ...parameters, asks("DialNumber", "RPC")];
    const granted = [
      { id: 1, property_name: "Base-4", user_consent_prompt: null, is_default: true },
      { id: 2, property_name: "Location-1", user_consent_prompt: "Location", is_default: false },
      { id: 3, property_name: "Calls-1", user_consent_prompt: null, is_default: false },
    ];
    await show({ ...anApplicationDetail(["PENDING"], { permissions, can_steal_focus: true }), granted });
    const changes = within(region("Changes"));
    const titles = changes.getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent);
    expect(titles.slice(0, 5)).toEqual([
      "Location and routes",
      "Vehicle data",
      "Remote control",
      "Microphone and calls",
      "Screen, speech and the rest",
    ]);
    expect(titles.at(-1)).toBe("Groups it will get in production once approved");
    const lines = texts("listitem", changes);
    expect(lines.slice(0, 2)).toEqual(["+Added: gps at FULL", "+Added: speed at FULL"]);
    expect(lines).toContain("~Changed: Can steal focus: no → yes");
    expect(lines.slice(-2)).toEqual([
      "Location-1The driver is asked for consent: Location",
      "Calls-1The driver is not asked",
    ]);
    expect(region("Changes")).toHaveTextContent("Every app has Base-4.");
    expectLink("Location-1", "/functionalgroups/manage?name=Location-1&environment=production", changes);
  });
});

describe("decisions", () => {
  const body = (members: object) => ({
    ...{ id: 41, uuid, version_id: 941, denial_message: null, blacklist: false },
    ...members,
  });

  it("L33: what each changes by area comes first, in staging where production stays as it is; the question says it too", async () => {
    const effect = {
      areas: [{ area: "location", kind: "gained", text: "location", short: "location" } as const],
      asked: [{ group: "Location-1", prompt: "Location" }],
      rejected: [{ rule: "C16" as const, rpcs: ["Alert"], message: "its limit is 0", cure: "raise the limit" }],
      ...{ groups_gained: ["Location-1"], groups_lost: [] },
    };
    const effects = {
      stage: { environment: "staging", effect },
      accept: { environment: "production", effect },
    } as const;
    await show({ ...anUpdate(), effects });
    expect(decision("Approve to staging")).toHaveAccessibleDescription(
      /^In staging: \+ location, consent prompt, cars reject some calls.*Production keeps v1\.0\. Staging goes from v1\.0 to v2\.0\.$/,
    );
    expect(decision("Approve for production…")).toHaveAccessibleDescription(/^\+ location, consent prompt/);
    await userEvent.click(decision("Approve for production…"));
    expect(await dialog()).toHaveTextContent("Location and routes");
    expect(await dialog()).toHaveTextContent("Cars reject Alert: its limit is 0. To change this, raise the limit.");
  });

  it("L33: on narrow screens an approved app has a menu, and no step back as its button", async () => {
    await show(anApplicationDetail(["ACCEPTED"]));
    expect(screen.getAllByRole("button", { name: "Move back to staging…" })).toHaveLength(1);
    expect(button("Decide")).toBeInTheDocument();
    cleanup();
    await show(anApplicationDetail(["STAGING"]));
    expect(screen.getAllByRole("button", { name: "Approve for production…" })).toHaveLength(2);
    expect(button("Other decisions")).toBeInTheDocument();
  });

  it("L33: the decision stands above every tab, and each tab has an address", async () => {
    await show(anUpdate(), "settings");
    expect(region("Decision")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Changes" })).not.toBeInTheDocument();
    const tabs = within(screen.getByRole("navigation", { name: "Parts of the page" })).getAllByRole("link");
    expect(tabs.map((tab) => tab.getAttribute("href"))).toEqual([
      "/applications/41",
      ...["permissions", "settings", "details", "policy", "fleet", "history"].map(
        (tab) => `/applications/41?tab=${tab}`,
      ),
    ]);
    cleanup();
    await show(anUpdate(), "nonsense");
    expect(region("Changes")).toBeVisible();
  });

  it("Q5: a name that Android phones garble is told where it is decided about, and stops nothing", async () => {
    await show(anApplicationDetail(["ACCEPTED", "PENDING"], { display_names: ['My "App"', "Plain", "back\\slash"] }));
    const note = within(region("Decision")).getByRole("note");
    expect(note).toHaveTextContent(/^My "App", back\\slashAndroid phones garble this name on its way to the server/);
    expect(decision("Approve to staging")).toBeEnabled();
    cleanup();
    await show();
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
  });

  it("to staging: at once, with the documented body; Undo sends the state before", async () => {
    const redraw = await show();
    await userEvent.click(decision("Approve to staging"));
    const staged = body({ approval_status: "STAGING" });
    await waitFor(() =>
      expect(api.sent).toEqual([{ method: "POST", path: "/api/v1/applications/action", body: staged }]),
    );
    await seeToast("v2.0 is in staging");
    expect(router.refresh).toHaveBeenCalledOnce();
    await redraw(anApplicationDetail(["ACCEPTED", "STAGING"]));
    await press("Undo");
    await expectBodies(staged, body({ approval_status: "PENDING" }));
  });

  const approved = anApplicationDetail(["ACCEPTED"]);
  const blocked = anApplicationDetail(["ACCEPTED", "LIMITED"], { is_blacklisted: true });
  it.each([
    ["Approve for production…", anUpdate(), "was never in staging", "", { approval_status: "ACCEPTED" }],
    ["Unblock…", blocked, "serve v1.0 again", "", { approval_status: "LIMITED" }],
    ["Move back to staging…", approved, "may stop working there", "production", { approval_status: "STAGING" }],
    ["Block…", approved, "no permissions in staging", "Tune Harbor", { approval_status: "LIMITED", blacklist: true }],
  ])("%s asks first, for a word where something is lost", async (name, shown, words, typed, members) => {
    await show(shown);
    await userEvent.click(decision(name));
    const asked = await dialog();
    expect(asked).toHaveTextContent(words);
    if (typed !== "") {
      await userEvent.keyboard("{Control>}{Enter}{/Control}");
      await type(`Type ${typed} to go on`, typed, within(asked));
    }
    expect(api.sent).toEqual([]);
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await expectBodies(body(members));
  });

  it("finding A1: what head units would refuse is told, and decided only after a second question", async () => {
    const path = "app_policies.x.groups";
    const findings = [{ environment: "production", path, message: "A head unit refuses the whole update: too long." }];
    api.answer = ({ body: asked }) =>
      (asked as { force?: boolean } | null)?.force === true
        ? { data: {} }
        : { status: 409, message: "Head units would refuse", data: { findings } };
    await show();
    await userEvent.click(decision("Approve for production…"));
    await press("Approve for production", await question());
    const second = await screen.findByRole("alertdialog", { name: "Head units would refuse the policy table" });
    expect(second).toHaveTextContent("Nothing was decided.");
    expect(second).toHaveTextContent(path);
    await type(/^Type production/, "production", within(second));
    await press("Decide anyway", within(second));
    const accepted = body({ approval_status: "ACCEPTED" });
    await expectBodies(accepted, { ...accepted, force: true });
  });

  it("limit: takes a reason, also one that was given before (WCAG 3.3.7), which a refusal of the server leaves", async () => {
    localStorage.setItem("preference:decision-reasons", JSON.stringify(["Asks for too much"]));
    api.answer = () => ({ status: 503, message: "Service unavailable" });
    await show();
    await userEvent.click(decision("Limit…"));
    const asked = await question();
    expect(button("Limit without a reason", asked)).toBeVisible();
    await press("Asks for too much", asked);
    expect(asked.getByLabelText("Reason (optional)")).toHaveValue("Asks for too much");
    await press("Limit with this reason", asked);
    const problem = await asked.findByRole("alert");
    expect(problem).toHaveTextContent("The server cannot reach its database right now");
    expect(problem).toHaveTextContent("9a1e0000-0000-4000-8000-000000000000");
    expect(asked.getByLabelText("Reason (optional)")).toHaveValue("Asks for too much");
    await expectBodies(body({ approval_status: "LIMITED", denial_message: "Asks for too much" }));
  });

  it.each([
    ["Unblock", anApplicationDetail(["LIMITED"], { is_blacklisted: true }), "ACCEPTED"],
    ["Move to staging", anApplicationDetail(["ACCEPTED", "ACCEPTED"]), "STAGING"],
  ])("?restore= asks whether to put the version back: %s", async (name, shown, restore) => {
    await show(shown, { restore });
    await press(name, await question());
    await expectBodies(body({ approval_status: restore }));
  });
});

describe("settings", () => {
  const automatic = /^Approve automatically/;

  it.each([
    ["Administrator groups", "POST", "administrator", { uuid, is_administrator_app: true }],
    ["Unknown-RPC passthrough", "POST", "passthrough", { uuid, allow_unknown_rpc_passthrough: true }],
    ["Require RPC encryption", "PUT", "rpcEncryption", { id: 41, encryption_required: true }],
  ])("%s: %s %s", async (name, method, path, expected) => {
    await show(anUpdate(), "settings");
    await userEvent.click(toggle(new RegExp(`^${name}`)));
    await waitFor(() => expect(api.sent).toEqual([{ method, path: `/api/v1/applications/${path}`, body: expected }]));
    await seeToast(`${name}: on`);
  });

  it("U9: a change made while the one before is stored is sent after it", async () => {
    await show(anUpdate(), "settings");
    const letGo = holdAnswers();
    await choose(/^Priority/, "Navigation");
    await choose(/^Priority/, "Emergency");
    await expectBodies({ uuid, priority: "NAVIGATION" });
    letGo();
    await expectBodies({ uuid, priority: "NAVIGATION" }, { uuid, priority: "EMERGENCY" });
  });

  it("automatic approval is asked about when it is turned on, not when it is turned off", async () => {
    const redraw = await show(anUpdate(), "settings");
    await userEvent.click(toggle(automatic));
    expect(await dialog()).toHaveTextContent("everything they request, including app services");
    await press("Turn on");
    await expectBodies({ uuid, is_auto_approved_enabled: true });
    await redraw(anApplicationDetail(["ACCEPTED", "PENDING"], { is_auto_approved_enabled: true }));
    await userEvent.click(toggle(automatic));
    await waitFor(() => expect(bodies().at(-1)).toEqual({ uuid, is_auto_approved_enabled: false }));
  });

  it("finding D3: automatic approval leaves a version that waits, says so and offers to accept it too", async () => {
    await show(anUpdate(), "settings");
    await userEvent.click(toggle(automatic));
    const asked = await dialog();
    expect(asked).toHaveTextContent("Automatic approval does not change it");
    await userEvent.click(within(asked).getByRole("checkbox", { name: /^Also approve this version/ }));
    await press("Turn on", within(asked));
    const next = await screen.findByRole("alertdialog", { name: /v2\.0/ });
    expect(next).toHaveTextContent("Production and staging go from v1.0 to v2.0.");
    expect(bodies()).toEqual([{ uuid, is_auto_approved_enabled: true }]);
  });

  it("finding D3: there is nothing to accept when the version is decided, and no automatic approval when it is limited", async () => {
    await show(anApplicationDetail(["ACCEPTED"]), "settings");
    await userEvent.click(toggle(automatic));
    expect((await question()).queryByRole("checkbox")).not.toBeInTheDocument();
    cleanup();
    await show(anApplicationDetail(["LIMITED"]), "settings");
    expect(screen.queryByRole("switch", { name: automatic })).not.toBeInTheDocument();
  });

  it("a switch is on before the answer, and off again with the server's words when it refuses", async () => {
    let refuse: () => void = () => undefined;
    api.answer = () =>
      new Promise((resolve) => {
        refuse = () => resolve({ status: 400, message: "Unknown application" });
      });
    await show(anUpdate(), "settings");
    const control = toggle(/^Require RPC encryption/);
    await userEvent.click(control);
    expect(control).toBeChecked();
    refuse();
    await seeToast("Unknown application");
    await waitFor(() => expect(control).not.toBeChecked());
    expect(router.refresh).not.toHaveBeenCalled();
  });

  it.each([
    ["Hybrid preference", "Cloud", "hybrid", { hybrid_preference: "CLOUD" }],
    ["Priority", "Navigation", "priority", { priority: "NAVIGATION" }],
  ])("%s is sent under the name of the request", async (name, value, path, body) => {
    await show(anUpdate(), "settings");
    await choose(new RegExp(`^${name}`), value);
    await expectBodies({ uuid, ...body });
    expect(api.sent[0]).toMatchObject({ method: "POST", path: `/api/v1/applications/${path}` });
    await seeToast(`${name}: ${value}`);
  });
});

describe("grants", () => {
  const groups = [{ id: 6, property_name: "OemData", description: null, is_selected: false }] as never;

  it("of services and proprietary groups are sent for this version", async () => {
    await show({ ...anApplicationDetail(["STAGING"]), groups }, "permissions");
    await userEvent.click(toggle("Button Press"));
    await userEvent.click(toggle("OemData"));
    const service = { service_type_name: "MEDIA", permission_name: "ButtonPress" };
    await expectBodies(
      { id: 41, is_selected: false, ...service },
      { app_id: 41, is_selected: true, property_name: "OemData" },
    );
    expect(api.sent).toMatchObject([
      { method: "PUT", path: "/api/v1/applications/service/permission" },
      { method: "PUT", path: "/api/v1/applications/groups" },
    ]);
    expectLink("About the group OemData", "/functionalgroups/manage?id=6&environment=PRODUCTION");
  });

  it("section 7: are frozen in accepted versions, with the reason and the way out beside them", async () => {
    await show({ ...anApplicationDetail(["ACCEPTED"]), groups }, "permissions");
    for (const name of ["Button Press", "OemData"]) {
      expect(toggle(name)).toHaveAttribute("aria-disabled", "true");
      await userEvent.click(toggle(name));
    }
    expect(api.sent).toEqual([]);
    expect(region("Manual grants")).toHaveTextContent(
      "Approved versions cannot be changed. Move this version to staging to change its grants.",
    );
    await press("Move to staging…", within(region("Manual grants")));
    expect(await dialog()).toHaveTextContent("back to staging?");
  });
});

it("permissions, and why: L15: the rights of the version in staging come with the page", async () => {
  await show(anUpdate(), "permissions");
  const table = within(region("Permissions and reasons")).getByRole("table", { name: "Permissions by HMI level" });
  expect(within(table).getByRole("button", { name: "Alert at FULL: Granted, requested" })).toBeVisible();
  expect(read.matrix).toHaveBeenCalledExactlyOnceWith({ app: uuid, version: 41, environment: "staging" });
});

it("permissions, and why: L15: that cannot be told yet are asked for by the browser, which says why", async () => {
  read.matrix.mockRejectedValue(new AppError("unavailable"));
  api.answer = () => ({ status: 503, message: "No policy is in service yet" });
  await show(anUpdate(), "permissions");
  expect(await within(region("Permissions and reasons")).findByRole("alert")).toHaveTextContent(
    "No policy is in service yet",
  );
});

it("parts that cannot be read: say so in their own place; all else is there, and Retry reads the page again", async () => {
  for (const part of [read.segments, read.certificate]) part.mockRejectedValue(new Error("secret words of the driver"));
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  for (const [tab, name] of [
    ["policy", "Policy preview"],
    ["settings", "Certificate"],
  ] as const) {
    cleanup();
    await show(anUpdate(), tab);
    expect(within(region(name)).getByRole("alert")).toHaveTextContent(/could not be read\..*Reference: [0-9a-f-]{36}/);
  }
  expect(logged).toHaveBeenCalledTimes(2);
  expect(document.body).not.toHaveTextContent("secret words");
  expect(region("Decision")).toBeVisible();
  await press("Retry", within(region("Certificate")));
  expect(router.refresh).toHaveBeenCalledOnce();
});

describe("certificate", () => {
  it("names the settings that are missing while generation is off", async () => {
    await show(anUpdate(), "settings");
    expect(region("Certificate")).toHaveTextContent("CERTIFICATE_PASSPHRASE");
    expect(within(region("Certificate")).queryByRole("button")).not.toBeInTheDocument();
  });

  it("is generated into the fields with the UUID as its serial number, and stored only by Save", async () => {
    read.certificate.mockResolvedValue({ kind: "ready", stored: null });
    const note = "Its serial number is not the app's UUID";
    api.answer = ({ path }) => {
      if (path.endsWith("/private")) return { data: "KEY OF 41" };
      if (path.endsWith("/applications/certificate")) return { data: { notes: [note] } };
      return {
        data: path.endsWith("/security/certificate") ? { certificate: "CERT OF 41", clientKey: "KEY OF 41" } : {},
      };
    };
    await show(anUpdate(), "settings");
    await userEvent.click(button("Generate key and certificate…"));
    const form = await screen.findByRole("dialog");
    await userEvent.type(within(form).getByLabelText("Country"), "D");
    await press("Generate", within(form));
    expect(await within(form).findByText("Country must be exactly 2 letters")).toBeVisible();
    expect(api.sent).toEqual([]);
    await userEvent.type(within(form).getByLabelText("Country"), "E");
    await press("Generate", within(form));

    expect(await screen.findByDisplayValue("CERT OF 41")).toBeVisible();
    expect(bodies().at(-1)).toEqual({ options: { country: "DE", clientKey: "KEY OF 41", serialNumber: uuid } });
    expect(screen.getByText(/^Not saved yet/)).toBeVisible();
    expect(screen.queryByDisplayValue("KEY OF 41")).not.toBeInTheDocument();
    await userEvent.click(button("Reveal private key"));
    expect(screen.getByDisplayValue("KEY OF 41")).toBeVisible();

    await userEvent.click(button("Save key and certificate"));
    await waitFor(() => expect(api.sent.at(-1)?.path).toBe("/api/v1/applications/certificate"));
    expect(api.sent.at(-1)).toMatchObject({
      method: "POST",
      body: { options: { app_uuid: uuid, clientKey: "KEY OF 41", certificate: "CERT OF 41" } },
    });
    await waitFor(() => expect(screen.queryByDisplayValue("KEY OF 41")).not.toBeInTheDocument());
    expect(screen.getByText(note)).toBeVisible();
  });

  it("is given together with its key or not at all, and stays when the server refuses it", async () => {
    read.certificate.mockResolvedValue({ kind: "ready", stored: null });
    const message = "The private key and certificate do not match or are not valid";
    api.answer = () => ({ status: 400, message });
    await show(anUpdate(), "settings");
    await type("Certificate", "PEM");
    expect(screen.getByRole("alert")).toHaveTextContent("Enter both the key and the certificate");
    expect(isOff(button("Save key and certificate"))).toBe(true);
    await type("Private key", "K");
    await press("Save key and certificate");
    expect(await screen.findByText(message)).toBeVisible();
    expect(field("Certificate")).toHaveValue("PEM");
  });

  it("asks for the stored key only when told to; no key comes with the page", async () => {
    const stored = { subject: "CN=Tune Harbor", issuer: "CN=Authority", serialNumber: "01AB" };
    const valid = { validFrom: "2026-01-01T00:00:00.000Z", validTo: "2026-01-08T00:00:00.000Z" };
    read.certificate.mockResolvedValue({ kind: "ready", stored: { ...stored, ...valid } });
    api.answer = () => ({ data: { applications: [{ certificate: "STORED CERT", private_key: "STORED KEY" }] } });
    await show(anUpdate(), "settings");
    expect(region("Certificate")).toHaveTextContent("CN=Tune Harbor");
    expect(api.reads).toEqual([]);
    await userEvent.click(button("Load stored key and certificate"));
    expect(await screen.findByDisplayValue("STORED CERT")).toBeVisible();
    expect(api.reads).toEqual(["/api/v1/applications?id=41"]);
    expect(document.body.innerHTML).not.toContain("STORED KEY");
    expect(screen.queryByText(/^Not saved yet/)).not.toBeInTheDocument();
  });
});

it("policy preview: shows both environments and says what a plain answer means", async () => {
  await show(anUpdate(), "policy");
  expect(region("Policy preview")).toHaveTextContent("keep_context");
  await press("Production", within(region("Policy preview")));
  expect(region("Policy preview")).toHaveTextContent("No version has permissions in production");
  expect(window.location.search).toBe("?tab=policy&policy=production");
});

it("policy preview: says when there is no policy yet, and asks for the page again while a change is not compiled", async () => {
  read.segments.mockResolvedValue(null);
  await show(anUpdate(), "policy");
  expect(region("Policy preview")).toHaveTextContent("compiled for the first time");
  cleanup();
  read.segments.mockResolvedValue({ staging: null, production: null, isOutdated: true, findings: [] });
  await show(anUpdate(), "policy");
  expect(screen.getByText("Compiling the latest change")).toBeVisible();
  await waitFor(() => expect(router.refresh).toHaveBeenCalled());
});

it("section 6, 16: an unknown address is not found, a uuid leads to the newest version", async () => {
  read.address.mockResolvedValue(null);
  await expectNotFound(show());
  read.address.mockResolvedValue({ id: 41, isCanonical: false });
  await expectRedirect(show(), "/applications/41");
  await expectRedirect(show(anUpdate(), "fleet"), "/applications/41?tab=fleet");
});

it("finding A1: cut fields, a stopped approval and findings in the entries are shown, where there are any", async () => {
  await show();
  expect(screen.queryByRole("region", { name: "Head units" })).not.toBeInTheDocument();
  cleanup();
  const finding = { build: "both", severity: "refused", rule: "4", path: "app_policies.x.groups" } as const;
  const findings = [{ environment: "production", message: "A head unit refuses it.", ...finding }] as const;
  read.segments.mockResolvedValue({ ...segments, findings });
  await show({
    ...anApplicationDetail(["PENDING"]),
    cuts: [{ field: "display_names", what: "255 of 300 elements kept" }],
    holds: ["A head unit refuses the whole update: too many groups."],
  });
  const shown = region("Head units");
  for (const text of ["display_names: 255 of 300 elements kept", "Automatic approval stopped at this version"]) {
    expect(shown).toHaveTextContent(text);
  }
  for (const text of ["too many groups", "The entry in production", "app_policies.x.groups"]) {
    expect(shown).toHaveTextContent(text);
  }
  expect(shown).not.toHaveTextContent("The entry in staging");
});

describe("S9: what vehicles do with the app", () => {
  const steps = [40, null].map((count, at) => ({ at: `2026-03-0${at + 1}T00:00:00.000Z`, count, rejected: 12 }));
  const usage = {
    ...{ reports: 30, full: 1_500, limited: 0, background: 20, none: 0, selections: 12, rejected: 24, refused: null },
    ...{ removed: 0, rejected_per_report: 0.8 },
  };
  const consents = [{ name: "Location-1", yes: 90, no: 30, share: 0.75 }];
  const figuresOf = (partial: object = {}) => ({
    figures: { share: 0.04, total: { count: 45, share: 0.5, usage, ...partial }, steps },
    consents,
  });

  it("shows requests, rejected calls and consents, each with a sentence", async () => {
    read.figures.mockResolvedValue(figuresOf());
    await show(anUpdate(), "fleet");
    const sentences = screen.getAllByRole("img").map((one) => one.getAttribute("aria-label"));
    expect(sentences).toEqual([
      "45 requests named this app in the last 30 days, in production, 50 % of all.",
      "24 rejected calls in 30 reports in the last 30 days, in production.",
    ]);
    expect(screen.getByText(/From a sample of 4 %/)).toBeVisible();
    expect(screen.getByText("Other rejections").nextElementSibling).toHaveTextContent("fewer than 10");
    expect(texts("row", within(region("Consents to its groups")))[1]).toMatch(/^Location-175 %9030$/);
  });

  it("says what rejected calls need, and that no vehicle requested the app", async () => {
    read.figures.mockResolvedValue(figuresOf({ usage: null }));
    await show(anUpdate(), "fleet");
    expect(screen.getByText(/set FLEET_STATISTICS=usage/)).toBeVisible();
    cleanup();
    read.figures.mockResolvedValue(figuresOf({ count: 0, usage: null }));
    await show(anUpdate(), "fleet");
    expect(screen.getByText("No vehicle has requested this app")).toBeVisible();
  });
});
