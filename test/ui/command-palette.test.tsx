import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ThemeProvider } from "next-themes";
import { beforeEach, describe, expect, it } from "vitest";
import { CommandPalette } from "@/app/_components/shell/palette/command-palette";
import { CommandPaletteButton } from "@/app/_components/shell/header";
import { RoleProvider } from "@/app/_components/shell/role";
import type { Role } from "@/lib/vocabulary/roles";
import type { SearchAnswer } from "@/app/_search/schema";
import type { StubbedAnswer } from "@/test/support/console-stubs";
import { router } from "@/test/support/navigation";
import { api } from "@/test/support/page";

const none = { items: [], total: 0 };
const nothing: SearchAnswer = { applications: none, groups: none, records: [], vehicle_data: none, permissions: none };
const speed: SearchAnswer = {
  ...nothing,
  applications: { items: [{ id: 7, uuid: "u", name: "Roadtune", vendor: "Acme", state: "BLOCKED" }], total: null },
  groups: { items: [{ id: 3, name: "Speeding", description: null, status: "STAGING", is_deleted: true }], total: 9 },
  permissions: {
    items: [
      {
        ...{ name: "speed", type: "PARAMETER", parents: ["GetVehicleData"], application_total: 12 },
        groups: { items: [{ id: 4, name: "Base-4" }], total: 8 },
      },
    ],
    total: 1,
  },
};

const answers = new Map<string, StubbedAnswer | Promise<StubbedAnswer>>();
beforeEach(() => {
  answers.clear();
  api.answer = ({ path }) => {
    return answers.get(new URL(path, "http://x").searchParams.get("q") ?? path) ?? { data: nothing };
  };
});

const show = (canSignOut = false, role: Role = "admin") =>
  render(
    <ThemeProvider attribute="class">
      <RoleProvider role={role}>
        <input aria-label="Page" />
        <CommandPaletteButton />
        <CommandPalette canSignOut={canSignOut} />
      </RoleProvider>
    </ThemeProvider>,
  );
const input = () => screen.findByRole("combobox", { name: "Search everything" });
const options = () => screen.queryAllByRole("option").map((option) => option.textContent);
const highlighted = async () => {
  const id = (await input()).getAttribute("aria-activedescendant");
  return id === null ? null : (document.getElementById(id)?.textContent ?? null);
};
async function openAndType(text = "") {
  const user = userEvent.setup();
  await user.keyboard("{Control>}k{/Control}");
  const opened = await input();
  await waitFor(() => expect(opened).toHaveFocus());
  if (text !== "") await user.keyboard(text);
  return user;
}

function searchSpeed() {
  answers.set("speed", { data: speed });
  show();
  return openAndType("speed");
}

it("opening: Ctrl-K and ⌘-K open it, while typing in a field, too, and Escape gives the focus back", async () => {
  show();
  const user = userEvent.setup();
  await user.click(screen.getByLabelText("Page"));
  for (const keys of ["{Control>}k{/Control}", "{Meta>}k{/Meta}"]) {
    await user.keyboard(keys);
    await input();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByLabelText("Page")).toHaveFocus());
  }
  expect(screen.getByLabelText("Page")).toHaveValue("");
});

it("opening: opens by its button, but not over a dialog that waits for an answer", async () => {
  show();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Search everything" }));
  await input();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  render(<div role="alertdialog" aria-label="Question" />);
  await user.keyboard("{Control>}k{/Control}");
  expect(screen.queryByRole("combobox")).not.toBeInTheDocument();
});

it.each([
  ["admin", 2],
  ["publisher", 0],
] as const)("pages: offers what %s may open, also among the recent ones", async (role, count) => {
  localStorage.setItem("palette:recent", JSON.stringify([{ label: "Access", href: "/access", kind: "Pages" }]));
  show(false, role);
  const user = await openAndType();
  await screen.findByRole("option", { name: /^Releases/ });
  expect(screen.queryAllByRole("option", { name: /^Access/ })).toHaveLength(count);
  await user.keyboard("acces");
  await waitFor(() => expect(screen.queryByRole("option", { name: /^Releases/ })).not.toBeInTheDocument());
  expect(screen.queryAllByRole("option", { name: /^Access/ })).toHaveLength(count / 2);
});

describe("searching", () => {
  it("tells of a parameter its groups, the apps that request it, and how to add it", async () => {
    const user = await searchSpeed();
    await screen.findByRole("option", { name: /Requested by 12 apps/ });
    expect(screen.getAllByRole("group").map((group) => group.getAttribute("aria-labelledby")).length).toBe(3);
    expect(options()).toEqual([
      ...["speedParameter · In 8 groups", "Base-4contains speed", "All 8 groups", "Requested by 12 apps"],
      ...["Add speed to a group…", "SpeedingDeletion pending", "All 9 functional groups", "RoadtuneAcmeBlocked"],
      "All applications that match",
    ]);
    await waitFor(async () => expect(await highlighted()).toContain("speed"));
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() =>
      expect(router.push).toHaveBeenCalledWith("/functionalgroups/manage?name=Base-4&environment=staging"),
    );
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it.each([
    [/In 8 groups/, "/rpcs/GetVehicleData/speed"],
    [/All 8 groups/, "/functionalgroups?environment=staging&param=speed"],
    [/Requested by/, "/applications?state=all&perm=speed"],
    [/Roadtune/, "/applications/7"],
    [/All 9 functional/, "/functionalgroups?environment=staging&q=speed"],
  ])("%s leads to %s", async (name, href) => {
    await (await searchSpeed()).click(await screen.findByRole("option", { name }));
    await waitFor(() => expect(router.push).toHaveBeenCalledWith(href));
  });

  it("opens the dialog that adds the parameter to a group", async () => {
    answers.set("speed", { data: speed });
    answers.set("/api/v1/groups/names", { data: { names: ["Base-4"] } });
    show();
    await (await openAndType("speed")).click(await screen.findByRole("option", { name: /Add speed/ }));
    await screen.findByRole("dialog", { name: "Add speed to a group" });
  });

  it("asks once for what is typed in one go, and says how much was found", async () => {
    await searchSpeed();
    await screen.findByText("9 results");
    expect(api.reads).toEqual(["/api/v1/ui/search?q=speed"]);
    expect(screen.getByText("9 results")).toHaveAttribute("aria-live", "polite");
  });

  it("never shows an earlier answer that comes late", async () => {
    let answerLate: (answer: StubbedAnswer) => void = () => undefined;
    answers.set("spe", new Promise((resolve) => (answerLate = resolve)));
    answers.set("speed", { data: speed });
    show();
    const user = await openAndType("spe");
    await waitFor(() => expect(api.reads).toHaveLength(1));
    await user.keyboard("ed");
    await screen.findByText("9 results");
    answerLate({ data: nothing });
    await Promise.resolve();
    await user.keyboard("{ArrowDown}");
    expect(options()).toContain("Base-4contains speed");
  });

  it("keeps of the last answer only what holds the new text while the next is on its way", async () => {
    answers.set("speed", { data: speed });
    answers.set("speedi", new Promise(() => undefined));
    show();
    const user = await openAndType("speed");
    await screen.findByText("9 results");
    await user.keyboard("i");
    await waitFor(() => expect(options()).toEqual(["SpeedingDeletion pending"]));
    expect(screen.getByText("Searching…")).toBeVisible();
  });

  it("says when nothing is found", async () => {
    show();
    await openAndType("zzz");
    await screen.findByText("Nothing found for “zzz”");
    expect(options()).toEqual([]);
  });

  it("shows the sentence of a failure; pages and actions still work", async () => {
    answers.set("new", { status: 503, message: "The database is not available" });
    show();
    const user = await openAndType("new");
    expect(await screen.findByRole("alert")).toHaveTextContent("The database is not available");
    expect(options()).toEqual(["New functional group", "New consumer message", "New vehicle data item"]);
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(router.push).toHaveBeenCalledWith("/consumermessages/manage?environment=staging"));
  });
});

it("actions: finds them by other words, and offers to sign out only who has signed in", async () => {
  const { unmount } = show(true);
  const user = await openAndType("new group");
  await waitFor(() => expect(options()).toEqual(["New functional group"]));
  await user.clear(await input());
  await user.keyboard("log out");
  await waitFor(() => expect(options()).toEqual(["Sign out"]));
  unmount();
  show();
  await openAndType("sign out");
  await screen.findByText(/Nothing found for/);
});

describe("recent items", () => {
  const stored = () => JSON.parse(localStorage.getItem("palette:recent") ?? "[]") as Record<string, string>[];

  it("shows with an empty field what was chosen last, first, and the pages", async () => {
    await (await searchSpeed()).click(await screen.findByRole("option", { name: /Base-4/ }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(stored()).toEqual([
      { label: "Base-4", href: "/functionalgroups/manage?name=Base-4&environment=staging", kind: "Functional groups" },
    ]);
    await openAndType();
    const recent = await screen.findByRole("group", { name: "Recent" });
    expect(within(recent).getAllByRole("option")).toHaveLength(1);
    expect(within(recent).getByRole("option")).toHaveTextContent("Base-4");
    expect(within(screen.getByRole("group", { name: "Pages" })).getAllByRole("option")).toHaveLength(15);
  });

  it("keeps eight, none twice", async () => {
    const items = Array.from({ length: 8 }, (_, at) => ({ label: `L${at}`, href: `/applications/${at}`, kind: "x" }));
    localStorage.setItem("palette:recent", JSON.stringify(items));
    answers.set("road", { data: speed });
    show();
    await (await openAndType("road")).click(await screen.findByRole("option", { name: /Roadtune/ }));
    await waitFor(() => expect(router.push).toHaveBeenCalled());
    expect(stored().map(({ href }) => href)).toEqual([7, 0, 1, 2, 3, 4, 5, 6].map((at) => `/applications/${at}`));
  });

  it.each([
    ["not JSON"],
    ['{"a":1}'],
    ['[{"label":"x","kind":"x","href":"//evil.example"},{"href":"javascript:x"},null]'],
  ])("ignores what is damaged or leads elsewhere: %s", async (text) => {
    localStorage.setItem("palette:recent", text);
    show();
    await openAndType();
    await screen.findByRole("group", { name: "Pages" });
    expect(screen.queryByRole("group", { name: "Recent" })).not.toBeInTheDocument();
  });
});
