import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { SwitchField } from "@/app/_components/fields/switch-field";
import { RoleProvider } from "@/app/_components/shell/role";
import { Button } from "@/app/_components/ui/button";
import { press } from "@/test/support/page";

it("P8: what the reader may not do is off, with the reason, and does nothing", async () => {
  const act = vi.fn();
  render(
    <RoleProvider role="editor">
      <Button needs="publish" onClick={act}>
        Promote
      </Button>
      <Button needs="edit" onClick={act}>
        Save
      </Button>
    </RoleProvider>,
  );
  const promote = screen.getByRole("button", { name: "Promote" });
  expect(promote).toHaveAttribute("aria-disabled", "true");
  expect(promote).toHaveAccessibleDescription("This needs the role publisher; you are an editor.");
  await userEvent.click(promote);
  expect(act).not.toHaveBeenCalled();
  await press("Save");
  expect(act).toHaveBeenCalledOnce();
});

it("P8: a switch says so beside it", () => {
  render(
    <RoleProvider role="viewer">
      <SwitchField needs="publish" label="Automatic" checked={false} onChange={vi.fn()} />
    </RoleProvider>,
  );
  expect(screen.getByText("This needs the role publisher; you are a viewer.")).toBeVisible();
  expect(screen.getByRole("switch")).toHaveAttribute("aria-disabled", "true");
});

it("P8: where nobody signs in everything is on", () => {
  render(<Button needs="administer">Generate</Button>);
  expect(screen.getByRole("button")).not.toHaveAttribute("aria-disabled");
});
