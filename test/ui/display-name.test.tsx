import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PreferencesSection } from "@/app/(console)/you/preferences-section";
import { PasswordForm } from "@/app/_components/fields/password-form";
import { SignInDialog } from "@/app/_components/shell/session/sign-in-dialog";
import { Toaster } from "@/app/_components/shell/toaster";
import { showDone } from "@/app/_components/feedback/show-toast";
import { get, noteVerifiedName, post, put } from "@/lib/platform/http/client";
import { bodies, field, press, type } from "@/test/support/page";

const key = "preference:displayName";
const sentName = () => new Headers(vi.mocked(fetch).mock.lastCall?.[1]?.headers).get("x-display-name");

beforeEach(() => void vi.spyOn(globalThis, "fetch"));
afterEach(() => noteVerifiedName(false));

async function openPreferences(isNameVerified = false) {
  render(<PreferencesSection isNameVerified={isNameVerified} />);
  await press("Change preferences");
}
async function signIn(isNameVerified = false, name: string | null = null) {
  const onSignedIn = vi.fn();
  render(<PasswordForm isNameVerified={isNameVerified} onSignedIn={onSignedIn} />);
  if (name !== null) {
    await userEvent.clear(field("Display name (optional)"));
    await type("Display name (optional)", name);
  }
  expect(localStorage.getItem(key)).toBe("Ann");
  await userEvent.type(screen.getByLabelText("Password"), "open sesame{Enter}");
  await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
}
async function hintOf(text: string) {
  await post("/api/v1/groups");
  showDone(text);
  const toast = (await screen.findByText(text)).closest("li") as HTMLElement;
  return within(toast).queryByRole("link", { name: "Set a display name" });
}

describe("who did it", () => {
  it("every change carries the name, in ASCII; reading carries none", async () => {
    localStorage.setItem(key, " Jörg \ud800 ");
    await post("/api/v1/groups");
    expect(decodeURIComponent(sentName() ?? "")).toBe("Jörg \ufffd");
    await put("/api/v1/groups");
    expect(sentName()).toMatch(/^J%C3%B6rg/);
    await get("/api/v1/groups");
    expect(sentName()).toBeNull();
  });

  it.each([null, "", "   "])("no name is sent when there is none: %j", async (stored) => {
    if (stored !== null) localStorage.setItem(key, stored);
    await post("/api/v1/groups");
    expect(sentName()).toBeNull();
  });

  it("the name is a preference, and can be taken back", async () => {
    await openPreferences();
    const name = await screen.findByRole("textbox", { name: "Display name" });
    expect(name).toHaveAttribute("maxlength", "80");
    await userEvent.type(name, "Zoë");
    await post("/api/v1/groups");
    expect(sentName()).toBe("Zo%C3%AB");
    await userEvent.type(name, "\u202e");
    expect(name).toBeInvalid();
    await userEvent.clear(name);
    expect(localStorage.getItem(key)).toBeNull();
  });

  it("whoever is named by somebody else chooses no name", async () => {
    await openPreferences(true);
    await screen.findByRole("switch", { name: "Single-key shortcuts" });
    expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
  });

  it("the address of the preferences opens them", async () => {
    window.location.hash = "#preferences";
    render(<PreferencesSection isNameVerified={false} />);
    await screen.findByRole("textbox", { name: "Display name" });
  });

  it("the sign-in asks for it, and keeps what was given", async () => {
    localStorage.setItem(key, "Ann");
    await signIn(false, " Bea ");
    expect(localStorage.getItem(key)).toBe("Bea");
    expect(bodies()).toEqual([{ password: "open sesame" }]);
  });

  it("the sign-in asks for none beside it, and keeps what was given before", async () => {
    localStorage.setItem(key, "Ann");
    await signIn(true);
    expect(screen.queryByRole("textbox", { name: /Display name/ })).not.toBeInTheDocument();
    expect(localStorage.getItem(key)).toBe("Ann");
  });

  it("no toast misses a name that the proxy gives, or that somebody has given", async () => {
    render(<Toaster />);
    const { unmount } = render(<SignInDialog isNameVerified />);
    expect(await hintOf("Saved by Zoë")).toBeNull();
    expect(localStorage.getItem("preference:displayNameHint")).toBeNull();
    unmount();
    noteVerifiedName(false);
    localStorage.setItem(key, "Ann");
    expect(await hintOf("Saved by Ann")).toBeNull();
  });

  it("the toast of the first change without a name says so, once in a browser", async () => {
    render(<Toaster />);
    expect(await hintOf("Saved once")).toHaveAttribute("href", "/you#preferences");
    expect(await hintOf("Saved again")).toBeNull();
  });
});
