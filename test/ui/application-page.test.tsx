import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import ApplicationPage from "@/app/(console)/applications/[id]/page";
import { Toaster } from "@/app/_components/shell/toaster";
import type { ApplicationDetail } from "@/lib/apps/applications/console/detail-queries";
import type { PolicySegments } from "@/lib/apps/applications/policy-segments";
import type { CertificateState } from "@/lib/certificates/generation";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import type { MatrixAnswer } from "@/lib/simulator/answer-schema";
import { anApplicationDetail } from "@/test/support/application-detail";
import { type SentRequest, stubApi, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { aMatrix } from "@/test/support/simulations";
import { seeToast } from "@/test/support/toasts";

let detail: ApplicationDetail | null = null;
let address: { id: number; isCanonical: boolean } | null = null;
let segments: PolicySegments | null = null;
let certificate: CertificateState = { kind: "off", missing: ["CERTIFICATE_PASSPHRASE"] };
let sent: SentRequest[] = [];
let matrix: MatrixAnswer | null = null;
let asked: object[] = [];
/** Why the side blocks cannot be read. */
let failing: Error | null = null;
const refresh = vi.fn();

vi.mock("next/headers", () => ({ headers: () => Promise.resolve(new Headers()) }));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ push: vi.fn(), replace: vi.fn(), refresh }),
  useSearchParams: () => new URLSearchParams(window.location.search),
  usePathname: () => "/applications/41",
}));
vi.mock("@/lib/apps/applications/console/detail-queries", () => ({
  findAddressedVersion: () => Promise.resolve(address),
  loadApplicationDetail: () => Promise.resolve(detail),
}));
vi.mock("@/lib/simulator/answers/queries", () => ({
  loadMatrix: (query: object) => {
    asked.push(query);
    return matrix ? Promise.resolve(matrix) : Promise.reject(new AppError("unavailable"));
  },
}));
vi.mock("@/lib/apps/applications/policy-segments", () => ({
  loadPolicySegments: () => (failing ? Promise.reject(failing) : Promise.resolve(segments)),
}));
vi.mock("@/lib/certificates/app/stored-bundle", () => ({
  loadAppCertificateState: () => (failing ? Promise.reject(failing) : Promise.resolve(certificate)),
}));

forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  address = { id: 41, isCanonical: true };
  segments = { staging: { keep_context: true }, production: "default", isOutdated: false, findings: [] };
  certificate = { kind: "off", missing: ["CERTIFICATE_PASSPHRASE"] };
  failing = null;
  matrix = aMatrix();
  asked = [];
  sent = stubApi(() => ({ data: {} }));
  refresh.mockClear();
  window.history.replaceState(null, "", "/applications/41");
  localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function show(shown: ApplicationDetail | null = anApplicationDetail(["ACCEPTED", "PENDING"]), tab = "") {
  detail = shown;
  if (tab !== "") window.history.replaceState(null, "", `/applications/41?tab=${tab}`);
  const searchParams = Promise.resolve(tab === "" ? {} : { tab });
  const page = async () => (
    <>
      {await ApplicationPage({ params: Promise.resolve({ id: "41" }), searchParams })}
      <Toaster />
    </>
  );
  const { rerender } = render(await page());
  return async (next: ApplicationDetail) => {
    detail = next;
    rerender(await page());
  };
}

const section = (name: string | RegExp) => screen.getByRole("region", { name });
const button = (name: string | RegExp) => screen.getByRole("button", { name });
/** The decisions stand in a bar for narrow screens, too. */
const decision = (name: string) => within(section("Decision")).getByRole("button", { name });
const dialog = () => screen.findByRole("alertdialog");

describe("the head of the page", () => {
  it("says in words what vehicles get, with links to those versions", async () => {
    await show(anApplicationDetail(["ACCEPTED", "STAGING", "PENDING"]));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Tune Harbor");
    const facts = screen.getByText(/^Production serves/).closest("p");
    expect(facts).toHaveTextContent(
      /^Production serves v1\.0 \(approved .*\)\. Staging serves v2\.0\. You are viewing v3\.0, which vehicles do not receive\.$/,
    );
    expect(within(facts!).getByRole("link", { name: "v1.0" })).toHaveAttribute("href", "/applications/39");
    expect(within(facts!).getByRole("link", { name: "v2.0" })).toHaveAttribute("href", "/applications/40");
  });

  it("says that a blocked app gets nothing", async () => {
    await show(anApplicationDetail(["ACCEPTED", "LIMITED"], { is_blacklisted: true, denial_message: "Harmful" }));
    expect(screen.getByText(/This app is blocked: it gets nothing/)).toBeVisible();
    expect(screen.getByText("Harmful")).toBeVisible();
  });

  it("section 6, 14: shows what was never shown: uuid, description, countries, versions, level", async () => {
    await show(undefined, "details");
    expect(screen.getByText("7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa")).toBeVisible();
    for (const text of ["Streams music.", "United States", "7d0c2a545b", "com.example.tuneharbor"]) {
      expect(section("General information")).toHaveTextContent(text);
    }
    expect(section("Versions")).toHaveTextContent("v1.0");
  });

  it("shows endpoint, transport and package of cloud and embedded apps only", async () => {
    await show(undefined, "details");
    expect(screen.queryByText("Endpoint")).not.toBeInTheDocument();
    cleanup();
    await show(anApplicationDetail(["PENDING"], { platform: "CLOUD", cloud_endpoint: "wss://x.example" }), "details");
    expect(section("General information")).toHaveTextContent("wss://x.example");
    cleanup();
    const embedded = { platform: "EMBEDDED", transport_type: "webengine", entrypoint_path: "/index.html" };
    await show(anApplicationDetail(["PENDING"], { ...embedded, size_compressed_bytes: 12_345 }), "details");
    expect(screen.getByText("Entry point path").nextElementSibling).toHaveTextContent("/index.html");
    expect(section("General information")).toHaveTextContent("12,345 bytes packed, unknown unpacked");
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
    const changes = section("Changes");
    expect(changes).toHaveTextContent("Against v1.0, the version in production: 1 level changed");
    expect(within(changes).getByRole("listitem")).toHaveTextContent("Changed: Alert: FULL → BACKGROUND");
  });

  it("says when nothing has changed, and when there is nothing to compare with", async () => {
    await show();
    expect(section(/^Changes/)).toHaveTextContent("No changes that vehicles or drivers would notice.");
    cleanup();
    await show(anApplicationDetail(["PENDING"]));
    expect(section(/^Changes/)).toHaveTextContent("First submission");
  });

  it("finding E2: a first submission lists what it asks for, the riskiest first, and what it would be given", async () => {
    const asks = (key: string, type: "RPC" | "PARAMETER" | "MODULE") => ({ key, type, hmi_level: "HMI_FULL" as const });
    const permissions = [
      asks("Show", "RPC"),
      asks("speed", "PARAMETER"),
      asks("RADIO", "MODULE"),
      asks("gps", "PARAMETER"),
      asks("DialNumber", "RPC"),
    ];
    const granted = [
      { id: 1, name: "Base-4", prompt: null, isDefault: true },
      { id: 2, name: "Location-1", prompt: "Location", isDefault: false },
      { id: 3, name: "Calls-1", prompt: null, isDefault: false },
    ];
    await show({ ...anApplicationDetail(["PENDING"], { permissions, can_steal_focus: true }), granted });
    const changes = within(section("Changes"));
    const titles = changes.getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent);
    expect(titles.slice(0, 5)).toEqual([
      "Location and routes",
      "Vehicle data",
      "Remote control",
      "Microphone and calls",
      "Screen, speech and the rest",
    ]);
    expect(titles.at(-1)).toBe("Groups it will get in production once approved");
    const lines = changes.getAllByRole("listitem").map((line) => line.textContent);
    expect(lines.slice(0, 2)).toEqual(["+Added: gps at FULL", "+Added: speed at FULL"]);
    expect(lines).toContain("~Changed: Can steal focus: no → yes");
    expect(lines.slice(-2)).toEqual([
      "Location-1The driver is asked for consent: Location",
      "Calls-1The driver is not asked",
    ]);
    expect(section("Changes")).toHaveTextContent("Every app has Base-4.");
    expect(changes.getByRole("link", { name: "Location-1" })).toHaveAttribute(
      "href",
      "/functionalgroups/manage?name=Location-1&environment=production",
    );
  });
});

describe("decisions", () => {
  const body = (members: object) => ({
    id: 41,
    uuid: "7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa",
    version_id: 941,
    denial_message: null,
    blacklist: false,
    ...members,
  });

  it("stand beside what they do to vehicles", async () => {
    await show();
    expect(decision("Approve to staging")).toHaveAccessibleDescription(
      "Production keeps v1.0. Staging goes from v1.0 to v2.0.",
    );
    expect(decision("Approve for production…")).toHaveAccessibleDescription(
      "Production and staging go from v1.0 to v2.0.",
    );
  });

  it("L33: what each changes by area comes first, in staging where production stays as it is; the question says it too", async () => {
    const effect = {
      areas: [{ area: "location", kind: "gained", text: "location" } as const],
      asked: [{ group: "Location-1", prompt: "Location" }],
      ...{ groups_gained: ["Location-1"], groups_lost: [] },
    };
    const effects = {
      stage: { environment: "staging", effect },
      accept: { environment: "production", effect },
    } as const;
    await show({ ...anApplicationDetail(["ACCEPTED", "PENDING"]), effects });
    expect(decision("Approve to staging")).toHaveAccessibleDescription(/^In staging: \+ location, driver is asked/);
    expect(decision("Approve for production…")).toHaveAccessibleDescription(/^\+ location, driver is asked/);
    await userEvent.click(decision("Approve for production…"));
    expect(await dialog()).toHaveTextContent("Location and routes");
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
    await show(undefined, "settings");
    expect(section("Decision")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Changes" })).not.toBeInTheDocument();
    const tabs = within(screen.getByRole("navigation", { name: "Parts of the page" })).getAllByRole("link");
    expect(tabs.map((tab) => tab.getAttribute("href"))).toEqual([
      "/applications/41",
      ...["permissions", "settings", "details", "policy", "history"].map((tab) => `/applications/41?tab=${tab}`),
    ]);
    cleanup();
    await show(undefined, "nonsense");
    expect(section("Changes")).toBeVisible();
  });

  it("Q5: a name that Android phones garble is told where it is decided about, and stops nothing", async () => {
    await show(anApplicationDetail(["ACCEPTED", "PENDING"], { display_names: ['My "App"', "Plain", "back\\slash"] }));
    const note = within(section("Decision")).getByRole("note");
    expect(note).toHaveTextContent(/^My "App", back\\slashAndroid phones garble this name on its way to the server/);
    expect(decision("Approve to staging")).toBeEnabled();
    cleanup();
    await show();
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
  });

  it("to staging: at once, with the documented body; Undo sends the state before", async () => {
    const rerender = await show();
    await userEvent.click(decision("Approve to staging"));
    await waitFor(() => {
      expect(sent).toEqual([
        { method: "POST", path: "/api/v1/applications/action", body: body({ approval_status: "STAGING" }) },
      ]);
    });
    await seeToast("v2.0 is in staging");
    expect(refresh).toHaveBeenCalledOnce();
    await rerender(anApplicationDetail(["ACCEPTED", "STAGING"]));
    await userEvent.click(button("Undo"));
    await waitFor(() => {
      expect(sent.at(-1)?.body).toEqual(body({ approval_status: "PENDING" }));
    });
  });

  it("for production: asks first and says that it was never in staging", async () => {
    await show();
    await userEvent.click(decision("Approve for production…"));
    const question = await dialog();
    expect(question).toHaveTextContent("Production and staging go from v1.0 to v2.0.");
    expect(question).toHaveTextContent("This version was never in staging.");
    expect(sent).toEqual([]);
    await userEvent.click(within(question).getByRole("button", { name: "Approve for production" }));
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([body({ approval_status: "ACCEPTED" })]);
    });
  });

  it("finding A1: what head units would refuse is told, and decided only after a second question", async () => {
    const path = "app_policies.x.groups";
    const findings = [{ environment: "production", path, message: "A head unit refuses the whole update: too long." }];
    sent = stubApi(({ body: asked }) =>
      (asked as { force?: boolean } | null)?.force === true
        ? { data: {} }
        : { status: 409, message: "Head units would refuse", data: { findings } },
    );
    await show();
    await userEvent.click(decision("Approve for production…"));
    await userEvent.click(within(await dialog()).getByRole("button", { name: "Approve for production" }));
    const second = await screen.findByRole("alertdialog", { name: "Head units would refuse the policy table" });
    expect(second).toHaveTextContent("Nothing was decided.");
    expect(second).toHaveTextContent(path);
    await userEvent.type(within(second).getByRole("textbox", { name: /^Type production/ }), "production");
    await userEvent.click(within(second).getByRole("button", { name: "Decide anyway" }));
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([
        body({ approval_status: "ACCEPTED" }),
        { ...body({ approval_status: "ACCEPTED" }), force: true },
      ]);
    });
  });

  it("limit: takes a reason, and the button says whether there is one", async () => {
    await show();
    await userEvent.click(decision("Limit…"));
    const question = await dialog();
    expect(within(question).getByRole("button", { name: "Limit without a reason" })).toBeVisible();
    await userEvent.type(within(question).getByLabelText("Reason (optional)"), "Asks for too much");
    await userEvent.click(within(question).getByRole("button", { name: "Limit with this reason" }));
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([
        body({ approval_status: "LIMITED", denial_message: "Asks for too much" }),
      ]);
    });
  });

  it("WCAG 3.3.7: offers a reason that was given before", async () => {
    localStorage.setItem("preference:decision-reasons", JSON.stringify(["Asks for too much"]));
    await show();
    await userEvent.click(decision("Limit…"));
    const question = await dialog();
    await userEvent.click(within(question).getByRole("button", { name: "Asks for too much" }));
    expect(within(question).getByLabelText("Reason (optional)")).toHaveValue("Asks for too much");
  });

  it("finding E2: block from Accepted: the name of the app must be typed", async () => {
    await show(anApplicationDetail(["ACCEPTED"]));
    await userEvent.click(decision("Block…"));
    const question = await dialog();
    const confirm = within(question).getByRole("button", { name: "Block without a reason" });
    expect(confirm).toHaveAttribute("aria-disabled", "true");
    await userEvent.click(confirm);
    expect(sent).toEqual([]);
    await userEvent.type(within(question).getByRole("textbox", { name: "Type Tune Harbor to go on" }), "Tune Harbor");
    await userEvent.click(confirm);
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([body({ approval_status: "LIMITED", blacklist: true })]);
    });
  });

  it("leaving production: warns, and asks for the word when nothing is left", async () => {
    await show(anApplicationDetail(["ACCEPTED"]));
    await userEvent.click(decision("Move back to staging…"));
    const question = await dialog();
    expect(question).toHaveTextContent("the app may stop working there");
    expect(question).toHaveTextContent("Production is left without a version");
    await userEvent.type(within(question).getByRole("textbox", { name: /^Type production/ }), "production");
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([body({ approval_status: "STAGING" })]);
    });
  });

  it("a blocked app can only be removed from the blocked ones", async () => {
    await show(anApplicationDetail(["ACCEPTED", "LIMITED"], { is_blacklisted: true }));
    expect(screen.queryByRole("button", { name: "Block…" })).not.toBeInTheDocument();
    await userEvent.click(decision("Unblock…"));
    await userEvent.click(within(await dialog()).getByRole("button", { name: "Unblock" }));
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([body({ approval_status: "LIMITED", blacklist: false })]);
    });
  });

  it("section 7: a refusal of the server is shown with its request, and the reason stays", async () => {
    stubApi(() => ({ status: 503, message: "Service unavailable" }));
    await show();
    await userEvent.click(decision("Limit…"));
    const question = await dialog();
    await userEvent.type(within(question).getByLabelText("Reason (optional)"), "Long and hard to type");
    await userEvent.click(within(question).getByRole("button", { name: "Limit with this reason" }));
    const problem = await within(question).findByRole("alert");
    expect(problem).toHaveTextContent("Service unavailable");
    expect(problem).toHaveTextContent("9a1e0000-0000-4000-8000-000000000000");
    expect(within(question).getByLabelText("Reason (optional)")).toHaveValue("Long and hard to type");
  });

  it("keys 1, 2 and 3 decide, but not while something is typed", async () => {
    await show(undefined, "permissions");
    await userEvent.type(screen.getByRole("searchbox", { name: "Search permissions" }), "1");
    expect(sent).toEqual([]);
    await userEvent.click(screen.getByRole("heading", { level: 1 }));
    await userEvent.keyboard("2");
    expect(await dialog()).toHaveTextContent("for production?");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => {
      expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    });
    await userEvent.keyboard("1");
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([body({ approval_status: "STAGING" })]);
    });
  });

  it("?restore= asks whether to put the version back", async () => {
    window.history.replaceState(null, "", "/applications/41?restore=ACCEPTED");
    await show(anApplicationDetail(["LIMITED"], { is_blacklisted: true }));
    await userEvent.click(within(await dialog()).getByRole("button", { name: "Unblock" }));
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([body({ approval_status: "ACCEPTED" })]);
    });
  });
});

describe("settings", () => {
  const uuid = "7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa";
  it.each([
    ["Administrator groups", "POST", "/api/v1/applications/administrator", { uuid, is_administrator_app: true }],
    [
      "Unknown-RPC passthrough",
      "POST",
      "/api/v1/applications/passthrough",
      { uuid, allow_unknown_rpc_passthrough: true },
    ],
    ["Require RPC encryption", "PUT", "/api/v1/applications/rpcEncryption", { id: 41, encryption_required: true }],
  ])("%s: %s %s", async (name, method, path, expected) => {
    await show(undefined, "settings");
    await userEvent.click(screen.getByRole("switch", { name: new RegExp(`^${name}`) }));
    await waitFor(() => {
      expect(sent).toEqual([{ method, path, body: expected }]);
    });
    await seeToast(`${name}: on`);
  });

  it("automatic approval is asked about when it is turned on, not when it is turned off", async () => {
    const rerender = await show(undefined, "settings");
    const name = /^Approve automatically/;
    await userEvent.click(screen.getByRole("switch", { name }));
    const question = await dialog();
    expect(question).toHaveTextContent("everything they request, including app services");
    await userEvent.click(within(question).getByRole("button", { name: "Turn on" }));
    await waitFor(() => {
      expect(sent.map((one) => one.body)).toEqual([{ uuid, is_auto_approved_enabled: true }]);
    });
    await rerender(anApplicationDetail(["ACCEPTED", "PENDING"], { is_auto_approved_enabled: true }));
    await userEvent.click(screen.getByRole("switch", { name }));
    await waitFor(() => {
      expect(sent.at(-1)?.body).toEqual({ uuid, is_auto_approved_enabled: false });
    });
  });

  it("finding D3: automatic approval leaves a version that waits, says so and offers to accept it too", async () => {
    await show(undefined, "settings");
    await userEvent.click(screen.getByRole("switch", { name: /^Approve automatically/ }));
    const question = await dialog();
    expect(question).toHaveTextContent("Automatic approval does not change it");
    await userEvent.click(within(question).getByRole("checkbox", { name: /^Also approve this version/ }));
    await userEvent.click(within(question).getByRole("button", { name: "Turn on" }));
    const next = await screen.findByRole("alertdialog", { name: /v2\.0/ });
    expect(next).toHaveTextContent("Production and staging go from v1.0 to v2.0.");
    expect(sent.map((one) => one.body)).toEqual([{ uuid, is_auto_approved_enabled: true }]);
  });

  it("finding D3: there is nothing to accept when the version is decided", async () => {
    await show(anApplicationDetail(["ACCEPTED"]), "settings");
    await userEvent.click(screen.getByRole("switch", { name: /^Approve automatically/ }));
    expect(within(await dialog()).queryByRole("checkbox")).not.toBeInTheDocument();
  });

  it("automatic approval is hidden when the version is limited", async () => {
    await show(anApplicationDetail(["LIMITED"]), "settings");
    expect(screen.queryByRole("switch", { name: /^Approve automatically/ })).not.toBeInTheDocument();
  });

  it("a switch is on before the answer, and off again with the server's words when it refuses", async () => {
    let settle: () => void = () => undefined;
    const refusal = new Promise<{ status: number; message: string }>((resolve) => {
      settle = () => {
        resolve({ status: 400, message: "Unknown application" });
      };
    });
    stubApi(() => refusal);
    await show(undefined, "settings");
    const control = screen.getByRole("switch", { name: /^Require RPC encryption/ });
    await userEvent.click(control);
    expect(control).toBeChecked();
    settle();
    await seeToast("Unknown application");
    await waitFor(() => {
      expect(control).not.toBeChecked();
    });
    expect(refresh).not.toHaveBeenCalled();
  });

  it("hybrid preference is sent under the name of the request", async () => {
    await show(undefined, "settings");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: /^Hybrid preference/ }), "Cloud");
    await waitFor(() => {
      expect(sent).toEqual([
        { method: "POST", path: "/api/v1/applications/hybrid", body: { uuid, hybrid_preference: "CLOUD" } },
      ]);
    });
  });
});

describe("grants", () => {
  const groups = [{ id: 6, property_name: "OemData", description: null, is_selected: false }] as never;

  it("of services and proprietary groups are sent for this version", async () => {
    await show({ ...anApplicationDetail(["STAGING"]), groups }, "permissions");
    await userEvent.click(screen.getByRole("switch", { name: "Button Press" }));
    await userEvent.click(screen.getByRole("switch", { name: "OemData" }));
    await waitFor(() => {
      expect(sent).toEqual([
        {
          method: "PUT",
          path: "/api/v1/applications/service/permission",
          body: { id: 41, is_selected: false, service_type_name: "MEDIA", permission_name: "ButtonPress" },
        },
        {
          method: "PUT",
          path: "/api/v1/applications/groups",
          body: { app_id: 41, is_selected: true, property_name: "OemData" },
        },
      ]);
    });
    expect(screen.getByRole("link", { name: "About the group OemData" })).toHaveAttribute(
      "href",
      "/functionalgroups/manage?id=6&environment=PRODUCTION",
    );
  });

  it("section 7: are frozen in accepted versions, with the reason and the way out beside them", async () => {
    await show({ ...anApplicationDetail(["ACCEPTED"]), groups }, "permissions");
    for (const name of ["Button Press", "OemData"]) {
      expect(screen.getByRole("switch", { name })).toHaveAttribute("aria-disabled", "true");
      await userEvent.click(screen.getByRole("switch", { name }));
    }
    expect(sent).toEqual([]);
    expect(section("Manual grants")).toHaveTextContent(
      "Approved versions cannot be changed. Move this version to staging to change its grants.",
    );
    await userEvent.click(within(section("Manual grants")).getByRole("button", { name: "Move to staging…" }));
    expect(await dialog()).toHaveTextContent("back to staging?");
  });
});

describe("permissions, and why", () => {
  it("L15: the rights of the version in staging come with the page", async () => {
    await show(undefined, "permissions");
    const table = within(section("Permissions and reasons")).getByRole("table", { name: "Permissions by HMI level" });
    expect(within(table).getByRole("button", { name: "Alert at FULL: Granted, requested" })).toBeVisible();
    expect(asked).toEqual([{ app: "7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa", version: 41, environment: "staging" }]);
  });

  it("L15: that cannot be told yet are asked for by the browser, which says why", async () => {
    matrix = null;
    sent = stubApi(() => ({ status: 503, message: "No policy is in service yet" }));
    await show(undefined, "permissions");
    expect(await within(section("Permissions and reasons")).findByRole("alert")).toHaveTextContent(
      "No policy is in service yet",
    );
  });
});

describe("parts that cannot be read", () => {
  it("say so in their own place; all else is there, and Retry reads the page again", async () => {
    failing = new Error("secret words of the driver");
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    for (const [tab, name] of [
      ["policy", "Policy preview"],
      ["settings", "Certificate"],
    ] as const) {
      cleanup();
      await show(undefined, tab);
      expect(within(section(name)).getByRole("alert")).toHaveTextContent(
        /could not be read\..*Reference: [0-9a-f-]{36}/,
      );
    }
    expect(logged).toHaveBeenCalledTimes(2);
    expect(document.body).not.toHaveTextContent("secret words");
    expect(section("Decision")).toBeVisible();
    await userEvent.click(within(section("Certificate")).getByRole("button", { name: "Retry" }));
    expect(refresh).toHaveBeenCalledOnce();
  });
});

describe("certificate", () => {
  const stored = {
    subject: "CN=Tune Harbor",
    issuer: "CN=Authority",
    serialNumber: "01AB",
    validFrom: "2026-01-01T00:00:00.000Z",
    validTo: "2026-01-08T00:00:00.000Z",
  };

  it("names the settings that are missing while generation is off", async () => {
    await show(undefined, "settings");
    expect(section("Certificate")).toHaveTextContent("CERTIFICATE_PASSPHRASE");
    expect(within(section("Certificate")).queryByRole("button")).not.toBeInTheDocument();
  });

  it("is generated into the fields with the UUID as its serial number, and stored only by Save", async () => {
    certificate = { kind: "ready", stored: null };
    sent = stubApi(({ path }) => {
      if (path.endsWith("/private")) return { data: "KEY OF 41" };
      return {
        data: path.endsWith("/security/certificate") ? { certificate: "CERT OF 41", clientKey: "KEY OF 41" } : {},
      };
    });
    await show(undefined, "settings");
    await userEvent.click(button("Generate key and certificate…"));
    const form = await screen.findByRole("dialog");
    await userEvent.type(within(form).getByLabelText("Country"), "D");
    await userEvent.click(within(form).getByRole("button", { name: "Generate" }));
    expect(await within(form).findByText("Country must be exactly 2 letters")).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.type(within(form).getByLabelText("Country"), "E");
    await userEvent.click(within(form).getByRole("button", { name: "Generate" }));

    expect(await screen.findByDisplayValue("CERT OF 41")).toBeVisible();
    expect(sent.at(-1)?.body).toEqual({
      options: { country: "DE", clientKey: "KEY OF 41", serialNumber: "7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa" },
    });
    expect(screen.getByText(/^Not saved yet/)).toBeVisible();
    // Hidden until somebody wants to see it.
    expect(screen.queryByDisplayValue("KEY OF 41")).not.toBeInTheDocument();
    await userEvent.click(button("Reveal private key"));
    expect(screen.getByDisplayValue("KEY OF 41")).toBeVisible();

    await userEvent.click(button("Save key and certificate"));
    await waitFor(() => {
      expect(sent.at(-1)).toEqual({
        method: "POST",
        path: "/api/v1/applications/certificate",
        body: {
          options: {
            app_uuid: "7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa",
            clientKey: "KEY OF 41",
            certificate: "CERT OF 41",
          },
        },
      });
    });
    await waitFor(() => {
      expect(screen.queryByDisplayValue("KEY OF 41")).not.toBeInTheDocument();
    });
  });

  it("is given together with its key or not at all", async () => {
    certificate = { kind: "ready", stored: null };
    await show(undefined, "settings");
    await userEvent.type(screen.getByRole("textbox", { name: "Certificate" }), "PEM");
    expect(screen.getByRole("alert")).toHaveTextContent("Enter both the key and the certificate");
    expect(button("Save key and certificate")).toHaveAttribute("aria-disabled", "true");
  });

  it("keeps what was typed when the server refuses it", async () => {
    certificate = { kind: "ready", stored: null };
    stubApi(() => ({ status: 400, message: "The private key and certificate do not match or are not valid" }));
    await show(undefined, "settings");
    await userEvent.type(screen.getByRole("textbox", { name: "Certificate" }), "PEM");
    await userEvent.type(screen.getByRole("textbox", { name: "Private key" }), "K");
    await userEvent.click(button("Save key and certificate"));
    expect(await screen.findByText("The private key and certificate do not match or are not valid")).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Certificate" })).toHaveValue("PEM");
  });

  it("asks for the stored key only when told to; no key comes with the page", async () => {
    certificate = { kind: "ready", stored };
    const asked: string[] = [];
    stubApi(({ path }) => {
      asked.push(path);
      return { data: { applications: [{ certificate: "STORED CERT", private_key: "STORED KEY" }] } };
    });
    await show(undefined, "settings");
    expect(section("Certificate")).toHaveTextContent("CN=Tune Harbor");
    expect(asked).toEqual([]);
    await userEvent.click(button("Load stored key and certificate"));
    expect(await screen.findByDisplayValue("STORED CERT")).toBeVisible();
    expect(asked).toEqual(["/api/v1/applications?id=41"]);
    expect(document.body.innerHTML).not.toContain("STORED KEY");
    expect(screen.queryByText(/^Not saved yet/)).not.toBeInTheDocument();
  });
});

describe("policy preview", () => {
  it("shows both environments and says what a plain answer means", async () => {
    await show(undefined, "policy");
    expect(section("Policy preview")).toHaveTextContent("keep_context");
    await userEvent.click(within(section("Policy preview")).getByRole("button", { name: "Production" }));
    expect(section("Policy preview")).toHaveTextContent("No version has permissions in production");
    expect(window.location.search).toBe("?tab=policy&policy=production");
  });

  it("asks for the page again while a change is not compiled yet", async () => {
    segments = { staging: null, production: null, isOutdated: true, findings: [] };
    await show(undefined, "policy");
    expect(screen.getByText("Compiling the latest change")).toBeVisible();
    await waitFor(() => {
      expect(refresh).toHaveBeenCalled();
    });
  });

  it("says when there is no policy yet", async () => {
    segments = null;
    await show(undefined, "policy");
    expect(section("Policy preview")).toHaveTextContent("compiled for the first time");
  });
});

describe("addresses", () => {
  it("section 6, 16: an unknown one is not found", async () => {
    address = null;
    await expect(show()).rejects.toMatchObject({ digest: expect.stringContaining("404") });
  });

  it("a uuid leads to the newest version", async () => {
    address = { id: 41, isCanonical: false };
    await expect(show()).rejects.toMatchObject({ digest: expect.stringContaining(";/applications/41;") });
  });
});

describe("what head units do not take", () => {
  it("is no part of the page of an app without it", async () => {
    await show();
    expect(screen.queryByRole("region", { name: "Head units" })).not.toBeInTheDocument();
  });

  it("finding A1: cut fields, a stopped approval and findings in the entries are shown", async () => {
    const finding = { build: "both", severity: "refused", rule: "4", path: "app_policies.x.groups" } as const;
    const findings = [{ environment: "production", message: "A head unit refuses it.", ...finding }] as const;
    segments = { staging: {}, production: {}, isOutdated: false, findings };
    await show({
      ...anApplicationDetail(["PENDING"]),
      cuts: [{ field: "display_names", what: "255 of 300 elements kept" }],
      holds: ["A head unit refuses the whole update: too many groups."],
    });
    const shown = section("Head units");
    expect(shown).toHaveTextContent("display_names: 255 of 300 elements kept");
    expect(shown).toHaveTextContent("Automatic approval stopped at this version");
    expect(shown).toHaveTextContent("too many groups");
    expect(shown).toHaveTextContent("The entry in production");
    expect(shown).toHaveTextContent("app_policies.x.groups");
    expect(shown).not.toHaveTextContent("The entry in staging");
  });
});
