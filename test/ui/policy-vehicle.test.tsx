import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { Simulator } from "@/app/(console)/policytable/vehicle/simulator";
import type { VehicleForm } from "@/app/(console)/policytable/vehicle/simulation";
import type { SimulationAnswer } from "@/lib/policy/why/answer-schema";
import { aGroupReason, aSimulation } from "@/test/support/simulations";
import { goTo } from "@/test/support/navigation";
import { api, bodies, choose, expectLink, press } from "@/test/support/page";

let answer: SimulationAnswer;
beforeEach(() => {
  answer = aSimulation();
  api.answer = () => ({ data: answer });
  goTo("/policytable?tab=vehicle");
});

const sources = [
  { value: "production", label: "Production" },
  { value: "staging", label: "Staging" },
  { value: "12", label: "Release 12" },
];
const empty: VehicleForm = { how: "apps", apps: [], request: "", of: "production", ids: "full", headUnit: "8.2" };
let runs = 0;

/** Each test asks for an app of its own: what another one was answered is remembered. */
function show(form: Partial<VehicleForm> = {}, runsAtOnce = false) {
  runs += 1;
  const initial = { ...empty, apps: [{ uuid: `uuid-${runs}`, name: "Tune Harbor" }], ...form };
  render(<Simulator {...{ initial, runsAtOnce, sources }} origin="https://policy.example" />);
}
const run = () => press("Run");
const result = () => screen.findByRole("region", { name: "What the vehicle receives" });
async function showResult() {
  show();
  await run();
  await result();
}

describe("L15: a vehicle", () => {
  it("asks for its apps, and says of each what it gets, why, and what it does not get", async () => {
    show();
    expect(api.sent).toEqual([]);
    await run();
    expect(await result()).toHaveTextContent("Production, 1 app: 123.4 kB, 12.3 kB compressed.");
    const body = { environment: "production", apps: [`uuid-${runs}`], full_app_id_supported: true };
    expect(api.sent).toEqual([{ method: "POST", path: "/api/v1/policy/simulate", body }]);
    const app = screen.getByRole("heading", { level: 2, name: "Tune Harbor" }).closest("details");
    expect(app).toHaveTextContent("Own permissions");
    expect(app).toHaveTextContent("Version 4 is the newest accepted one. (A5)");
    expect(app).toHaveTextContent("gps FULLNo group grants it.");
    expect(app).toHaveTextContent("Every app gets it");
    expectLink("Base-4", "/functionalgroups/manage?name=Base-4&environment=production", within(app!));
  });

  it("is run at once when the address names its apps, and keeps what was run in the address", async () => {
    show({ of: "12" }, true);
    expect(await result()).toHaveTextContent("Release 12, 1 app");
    await choose("Answered from", "Staging");
    await choose("App identifiers", "Short ids");
    await run();
    expect(await screen.findByText(/^Staging, 1 app/)).toBeVisible();
    expect(window.location.search).toBe(`?tab=vehicle&of=staging&apps=uuid-${runs}&ids=short`);
    expect(bodies()).toMatchObject([
      { release: 12, full_app_id_supported: true },
      { environment: "staging", full_app_id_supported: false },
    ]);
  });

  it("may have an older head unit; one of Core 4.5 writes short ids only", async () => {
    show();
    await choose("Head unit", "Core 6");
    await run();
    await result();
    await choose("Head unit", "Core 4.5 and older");
    expect(screen.queryByRole("combobox", { name: "App identifiers" })).not.toBeInTheDocument();
    await run();
    await waitFor(() => expect(bodies()).toMatchObject([{ head_unit: "6.1" }, { head_unit: "4.5" }]));
    expect(window.location.search).toBe(`?tab=vehicle&of=production&apps=uuid-${runs}&head_unit=4.5`);
  });

  it("sends a pasted request; what is no JSON is said at the field and not sent", async () => {
    show();
    await choose("App requests", "A captured request");
    // Its code is fetched when it is chosen.
    const field = await screen.findByRole("textbox", { name: "Shortened policy table" });
    await run();
    expect(field).toHaveAccessibleDescription(expect.stringContaining("Paste a shortened policy table"));
    await userEvent.click(field);
    await userEvent.paste('{"app_policies": {"x": {}}}');
    await run();
    await result();
    expect(bodies()).toEqual([{ environment: "production", request: { app_policies: { x: {} } } }]);
  });

  it("says why nothing could be answered", async () => {
    api.answer = () => ({ status: 400, message: "apps must hold at most 998 ids" });
    show();
    await run();
    expect(await screen.findByRole("alert")).toHaveTextContent("apps must hold at most 998 ids");
    expect(screen.queryByRole("region", { name: "What the vehicle receives" })).not.toBeInTheDocument();
  });

  it("tells default rights and nothing at all from permissions of its own", async () => {
    const own = answer.reasons[0]!;
    answer = aSimulation({
      reasons: [
        { ...own, id: "a", outcome: "default", app: null, groups: [] },
        { ...own, id: "b", outcome: "null", groups: [] },
      ],
    });
    await showResult();
    expect(screen.getByText("Default permissions").closest("summary")).toHaveTextContent(/^aDefault permissions/);
    expect(screen.getByText("Nothing").closest("summary")).toHaveTextContent(/^Tune HarborNothing/);
  });

  it("merges what the groups allow by RPC and level, and says after which consent", async () => {
    const own = answer.reasons[0]!;
    const located = aGroupReason({ group: "Location-1", because: "requested permission", permissions: ["gps"] });
    const [base] = answer.groups;
    answer = aSimulation({
      reasons: [{ ...own, groups: [{ ...located, consent_prompt: "Location" }] }],
      groups: [{ ...base!, group: "Location-1" }],
    });
    await showResult();
    await userEvent.click(screen.getByText("1 RPC it may call, by HMI level"));
    const mark = await screen.findByRole("button", { name: "Alert at FULL: After consent" });
    await userEvent.click(mark);
    expect(mark).toHaveAttribute("aria-expanded", "true");
    expect(document.getElementById(mark.getAttribute("aria-controls") ?? "")).toHaveTextContent(
      /Granted by Location-1\.Only after the driver agrees to Location\.$/,
    );
  });
});

describe("L18: the verdict", () => {
  it("says of both builds whether they take the answer, and what they object to", async () => {
    const refused = { build: "regular", severity: "refused" } as const;
    const finding = { ...refused, path: "app_policies.x", rule: "4", message: "Too long." };
    const { external } = answer.verdict;
    answer = aSimulation({ verdict: { regular: { is_accepted: false, findings: [finding] }, external } });
    show();
    await run();
    const verdict = within(await result()).getByRole("list", { name: "Head unit verdicts" });
    expect(verdict).toHaveTextContent("Standard head unit: refuses itExternal policy head unit: accepts it");
    expect(await result()).toHaveTextContent("Refused: Too long.");
  });

  it("copies the request as curl", async () => {
    show({ of: "staging" });
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Run" }));
    await user.click(within(await result()).getByRole("button", { name: "Copy as curl" }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toContain("/api/v1/staging/policy'"));
    expect(screen.getByRole("button", { name: "Copied" })).toBeVisible();
  });

  it("shows the whole answer only to who asks for it", async () => {
    await showResult();
    expect(screen.queryByRole("tree")).not.toBeInTheDocument();
    await press("Show JSON");
    expect(await screen.findByRole("tree", { name: "Policy table of the answer" })).toBeVisible();
  });
});

it("apps of a vehicle: are taken away by their buttons, and added from those that are accepted, each once", async () => {
  api.answer = ({ path }) =>
    path.startsWith("/api/v1/applications?")
      ? { data: { applications: [{ uuid: "uuid-a", name: "Alpha" }], next_cursor: null } }
      : { data: answer };
  show();
  const chosen = () => within(screen.getByRole("list", { name: "Apps of the vehicle" }));
  const add = screen.getByRole("button", { name: "Add all approved apps" });
  await userEvent.click(add);
  expect(await screen.findByText("1 app added.")).toBeVisible();
  await userEvent.click(add);
  expect(await screen.findByText("0 apps added.")).toBeVisible();
  expect(chosen().getAllByRole("listitem")).toHaveLength(2);
  await userEvent.click(chosen().getByRole("button", { name: "Remove Tune Harbor" }));
  await run();
  await result();
  expect(bodies().at(-1)).toMatchObject({ apps: ["uuid-a"] });
});
