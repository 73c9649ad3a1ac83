import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { WhySection } from "@/app/(console)/applications/[id]/why-section";
import type { MatrixAnswer } from "@/lib/policy/why/answer-schema";
import { aMatrix, someCells } from "@/test/support/simulations";
import { api, button, expectLink, press, region, texts } from "@/test/support/page";

beforeEach(() => {
  api.answer = () => ({ data: aMatrix() });
});

let uuids = 0;
/** Each test has an app of its own: what another one was answered is remembered. */
function show(first: MatrixAnswer | null = aMatrix()) {
  uuids += 1;
  render(<WhySection uuid={`uuid-${uuids}`} id={41} label="v4" first={first} />);
}
const section = () => region("Permissions and reasons");
const names = () => texts("rowheader", within(screen.getByRole("table", { name: "Permissions by HMI level" })));

describe("L15: rights of an app, and why", () => {
  it("are marked by icon and word per RPC and HMI level, without asking for what came with the page", () => {
    show();
    expect(section()).toHaveTextContent("Staging gives vehicles the permissions of this version, v4.");
    const headers = screen.getAllByRole("columnheader").map((cell) => cell.firstChild?.textContent);
    expect(headers).toEqual(["RPC", "FULL", "LIMITED", "BACKGROUND", "NONE"]);
    expect(button("Alert at FULL: Granted, requested")).toBeVisible();
    expect(button("GetVehicleData at FULL: After consent, requested")).toBeVisible();
    expect(screen.getByRole("list", { name: "Marks" })).toHaveTextContent(
      "GrantedAfter consentGranted, but the car rejects itRequested, not granted•Requested",
    );
    expect(api.reads).toEqual([]);
  });

  it("a mark opens the reasons below its line, and closes them again", async () => {
    show();
    await press(/^GetVehicleData at FULL/);
    const reasons = () =>
      document.getElementById(button(/^GetVehicleData at FULL/).getAttribute("aria-controls") ?? "");
    expect(reasons()).toHaveTextContent(
      "The app requests it.Granted by Location-1.Only after the driver agrees to Location.",
    );
    expectLink("Location", "/consumermessages/manage?category=Location&environment=staging", within(section()));
    await press(/^GetVehicleData at FULL/);
    expect(screen.queryByText(/Only after the driver/)).not.toBeInTheDocument();
  });

  it("C16: a call that the car rejects has a mark of its own, with the reason and the cure", async () => {
    const rejected = { rule: "C16", is_rejected: true, message: "the limit is 0", cure: "raise the limit" } as const;
    const cells = someCells({ BACKGROUND: { is_asked: true, groups: ["Base-4"], conditions: [rejected] } });
    show(aMatrix({ rpcs: [{ name: "Alert", cells, parameters: [] }] }));
    await press("Alert at BACKGROUND: Granted, but the car rejects it");
    expect(section()).toHaveTextContent(
      "Granted by Base-4.But the car rejects it: the limit is 0. To change this, raise the limit.",
    );
  });

  it("parameters are folded below their RPC; what is not granted says why", async () => {
    show();
    expect(screen.queryByText("gps")).not.toBeInTheDocument();
    await press("GetVehicleData: 1 parameter, 1 not granted");
    await press("gps of GetVehicleData at FULL: Requested, not granted");
    expect(section()).toHaveTextContent("Only Location-1 grants it, and it is proprietary.");
  });

  it("are searched by name, and narrowed to what is asked for and not granted", async () => {
    show();
    expect(names()).toEqual(["Alert", "GetVehicleData1 parameter, 1 not granted"]);
    const search = screen.getByRole("searchbox", { name: "Search permissions" });
    await userEvent.type(search, "gps");
    expect(names().at(-1)).toBe("gps");
    await userEvent.clear(search);
    await userEvent.click(screen.getByRole("checkbox", { name: "Only requested and not granted (1 RPC)" }));
    expect(names()).toHaveLength(2);
    await userEvent.type(search, "alert");
    expect(screen.getByText("No permission matches the filters")).toBeVisible();
    await press("Clear filters");
    expect(names()).toHaveLength(2);
    expect(search).toHaveValue("");
  });

  it("lists what has no place in the matrix", () => {
    const withheld = { permission: "Teleport", level: null, reason: "Nobody knows it.", kind: "unknown" as const };
    show(aMatrix({ withheld: [{ ...withheld, groups: [] }] }));
    expect(section()).toHaveTextContent(/not part of any known RPCTeleportNobody knows it\.$/);
  });
});

describe("L15: whose rights", () => {
  it("in older head units are asked for", async () => {
    api.answer = ({ path }) => ({
      data: aMatrix(path.includes("head_unit=5.1") ? { rpcs: [], head_unit: "5.1" } : {}),
    });
    show();
    const select = screen.getByRole("combobox", { name: /head unit/i });
    expect(select).toHaveDisplayValue("Core 8 and newer");
    await userEvent.selectOptions(select, "Core 5");
    expect(await screen.findByText("It requests no permissions and gets none.")).toBeVisible();
    expect(api.reads).toEqual([`/api/v1/policy/matrix?app=uuid-${uuids}&environment=staging&version=41&head_unit=5.1`]);
  });

  it("of another environment are asked for; a version that is not served is shown as if it were", async () => {
    api.answer = ({ path }) => ({
      data: aMatrix({
        environment: "production",
        ...(path.includes("version") ? {} : { rpcs: [] }),
        ...{ served_id: null, is_served: false },
      }),
    });
    show();
    await press("Production");
    expect(await screen.findByText(/^Production gives this app no permissions of its own\./)).toHaveTextContent(
      "Below is what v4 would get instead.",
    );
    await userEvent.click(screen.getByRole("checkbox", { name: "Show what production gives now" }));
    expect(await screen.findByText("It requests no permissions and gets none.")).toBeVisible();
    expect(api.reads).toEqual([
      `/api/v1/policy/matrix?app=uuid-${uuids}&environment=production&version=41`,
      `/api/v1/policy/matrix?app=uuid-${uuids}&environment=production`,
    ]);
  });

  it("of a blocked app are nothing", () => {
    show(aMatrix({ is_blocked: true }));
    expect(section()).toHaveTextContent("The app is blocked: Staging gives it no permissions.");
  });

  it("that cannot be read say so, and can be asked for again", async () => {
    api.answer = () => ({ status: 503, message: "The database cannot be reached" });
    show(null);
    expect(await screen.findByRole("alert")).toHaveTextContent("The database cannot be reached");
    api.answer = () => ({ data: aMatrix() });
    await press("Retry");
    expect(await screen.findByRole("table", { name: "Permissions by HMI level" })).toBeVisible();
  });
});
