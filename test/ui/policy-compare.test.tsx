import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Comparison } from "@/app/(console)/policytable/compare/comparison";
import type { ComparisonAnswer } from "@/lib/simulator/answer-schema";
import { aTableChange } from "@/test/support/simulations";
import { expectLink } from "@/test/support/page";

const names = { from: "Production", to: "Staging" };
const nothing = { added: 0, changed: 0, removed: 0, changes: [] };
const noApps: ComparisonAnswer["apps"] = [];

function show(comparison: Partial<ComparisonAnswer>, isReviewable = true) {
  const whole = { sections: [], apps: noApps, changed_apps: { count: 0, apps: [] }, ...comparison };
  const hrefOf = (uuid: string) => `#${uuid}`;
  render(<Comparison {...{ names, isReviewable, hrefOf }} comparison={whole} environment="staging" />);
}
const section = (name: string) => screen.getByRole("region", { name });

describe("L17: two tables side by side", () => {
  it("count the changes of every section, those without any as well", () => {
    show({
      sections: [
        { section: "functional_groupings", added: 1, changed: 2, removed: 0, changes: [aTableChange()] },
        { section: "vehicle_data", ...nothing },
      ],
      apps: noApps,
    });
    const rows = within(screen.getByRole("table", { name: "Changes by section" })).getAllByRole("row");
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ["Section", "+Added", "~Changed", "−Removed"],
      ["functional_groupings", "1", "2", "0"],
      ["vehicle_data", "0", "0", "0"],
    ]);
    expectLink("functional_groupings", "#functional_groupings");
    expect(screen.queryByRole("region", { name: "vehicle_data" })).not.toBeInTheDocument();
  });

  it("say of each change by sign and word what it is, before and after, and lead to its record and review", () => {
    const changes = [
      aTableChange(),
      aTableChange({ path: "Base-4.rpcs.Show", change: "add", before: undefined, after: { hmi_levels: ["FULL"] } }),
      aTableChange({ path: "Base-4.rpcs.Speak", change: "delete", after: undefined, before: { hmi_levels: ["NONE"] } }),
    ];
    show({ sections: [{ section: "functional_groupings", ...nothing, changes }], apps: noApps });
    const texts = (role: string) =>
      within(section("functional_groupings"))
        .getAllByRole(role)
        .map((one) => one.textContent);
    expect(texts("term")).toEqual(["Alert › HMI levels", "Show", "Speak"]);
    expect(texts("definition")).toEqual([
      "+added: BACKGROUNDFULL",
      "+Now: hmi_levels: FULL",
      "−Before: hmi_levels: NONE",
    ]);
    expectLink("Open Base-4", "/functionalgroups/manage?name=Base-4&environment=staging");
    expectLink("Review Base-4", "/changes?items=group%3ABase-4");
  });

  it("of which none is what a release would bring lead to no review", () => {
    show(
      { sections: [{ section: "functional_groupings", ...nothing, changes: [aTableChange()] }], apps: noApps },
      false,
    );
    expect(screen.queryByRole("link", { name: /^Review/ })).not.toBeInTheDocument();
  });

  it("list a hundred records of a section, and the number of the others", () => {
    const changes = Array.from({ length: 103 }, (_, at) =>
      aTableChange({ path: `G${at}`, item: { family: "group", key: `G${at}` } }),
    );
    show({ sections: [{ section: "functional_groupings", ...nothing, changes }], apps: noApps });
    expect(screen.getAllByRole("link", { name: /^Open/ })).toHaveLength(100);
    expect(section("functional_groupings")).toHaveTextContent(/And 3 more\.$/);
  });

  it("compare the entries of apps, also those that stay the same", () => {
    const app = { uuid: "uuid-1", name: "Tune Harbor" };
    show({
      sections: [],
      apps: [
        { ...app, before: "default", after: {}, changes: [aTableChange({ path: "groups", item: null })], rights: [] },
        { uuid: "uuid-2", name: null, before: null, after: null, changes: [], rights: [] },
      ],
    });
    expect(section("The entry of Tune Harbor")).toHaveTextContent(
      "From what every app gets in Production to permissions of its own in Staging.",
    );
    expect(section("The entry of uuid-2")).toHaveTextContent("It has nothing in both.Nothing changes for this app.");
  });

  it("say so when they are the same", () => {
    show({ sections: [{ section: "vehicle_data", ...nothing }], apps: noApps });
    expect(screen.getByText("The two tables are the same")).toBeVisible();
    expect(
      screen.getByText("Production and Staging give vehicles the same, and every app the same permissions."),
    ).toBeVisible();
  });

  it("L17a: name the apps that change, and are not the same then", () => {
    show({ changed_apps: { count: 102, apps: [{ uuid: "uuid-1", name: "Tune Harbor" }] } });
    const list = section("102 apps change");
    expectLink("Tune Harbor", "#uuid-1", within(list));
    expect(list).toHaveTextContent(/And 101 more apps$/);
    expect(screen.queryByText("The two tables are the same")).not.toBeInTheDocument();
  });

  it("L17a: say so when something else differs and no app changes", () => {
    show({ sections: [{ section: "module_config", ...nothing, changes: [aTableChange()] }] });
    expect(section("No app changes")).toHaveTextContent("All apps with permissions of their own are compared.");
  });
});
