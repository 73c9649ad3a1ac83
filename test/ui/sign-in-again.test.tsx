import { render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { SignInForm } from "@/app/_components/shell/session/sign-in-form";
import { goTo } from "@/test/support/navigation";
import { api } from "@/test/support/page";

const onSettled = vi.fn();
function setEnd(end: string | null) {
  api.answer = () => (end === null ? { status: 401, message: "Sign in" } : { data: { ends_ts: end } });
}
beforeEach(() => {
  goTo("/about");
  setEnd("2026-03-01T06:00:00.000Z");
});
const show = (hasPassword: boolean) =>
  render(<SignInForm ways={{ hasProvider: true, hasPassword }} isNameVerified onSettled={onSettled} />);
const comeBack = () => window.dispatchEvent(new Event("focus"));

it("P2: where people sign in at an identity provider, the way there opens beside what is being edited", async () => {
  show(false);
  const link = await screen.findByRole("link", { name: "Sign in with your account" });
  expect(link).toHaveAttribute("href", "/api/auth/signin/oidc?redirect=%2Fsigned-in");
  expect(link).toHaveAttribute("target", "_blank");
  expect(screen.queryByLabelText("Password")).not.toBeInTheDocument();
});

it("P2: the password is offered for emergencies where there is one", async () => {
  show(true);
  expect(await screen.findByText("Sign in with the emergency password")).toBeVisible();
  expect(screen.getByLabelText("Password")).toBeInTheDocument();
});

it.each([
  ["over", null],
  ["about to end", "2026-03-01T06:00:00.000Z"],
])("goes on once the reader comes back with a new session, after one that is %s", async (_, first) => {
  setEnd(first);
  show(false);
  await waitFor(() => expect(api.reads).toHaveLength(1));
  comeBack();
  await waitFor(() => expect(api.reads).toHaveLength(2));
  expect(onSettled).not.toHaveBeenCalled();
  setEnd("2026-03-01T18:00:00.000Z");
  comeBack();
  await waitFor(() => expect(onSettled).toHaveBeenCalledExactlyOnceWith(true));
});
