import { render, screen } from "@testing-library/react";
import { useEffect } from "react";
import { toast } from "sonner";
import { expect, it, vi } from "vitest";
import { Toaster } from "@/app/_components/shell/toaster";
import { endPending, pending } from "@/test/support/left-behind";
import { seeToast } from "@/test/support/toasts";
import { endPage } from "@/test/support/ui";

const long = 3_600_000;

it("fails a test that leaves a timer behind, and says where it was started", async () => {
  const fired = vi.fn();
  setTimeout(fired, long);
  const ended = endPage();
  await expect(ended).rejects.toThrow("The page of this test left behind:\nsetTimeout of 3600000 ms, started\n");
  await expect(ended).rejects.toThrow("test/ui/left-behind.test.tsx");
  expect(pending()).toEqual([]);
  expect(fired).not.toHaveBeenCalled();
});

it("fails a test whose component does not clear its interval", async () => {
  function Clock() {
    useEffect(() => void setInterval(() => undefined, long), []);
    return null;
  }
  render(<Clock />);
  await expect(endPage()).rejects.toThrow("setInterval of 3600000 ms");
});

it("fails a test that leaves a request without an answer", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  void fetch("/api/v1/about");
  await expect(endPage()).rejects.toThrow("a request of /api/v1/about");
});

it("fails a test that draws frame after frame for ever", async () => {
  const draw = () => void requestAnimationFrame(draw);
  draw();
  await expect(endPage()).rejects.toThrow("requestAnimationFrame, started");
});

it("waits for what is about to happen", async () => {
  const happened: string[] = [];
  setTimeout(() => happened.push("timer"), 10);
  requestAnimationFrame(() => requestAnimationFrame(() => setImmediate(() => happened.push("after two frames"))));
  await endPage();
  expect(happened).toEqual(["timer", "after two frames"]);
});

it("forgets what is cleared or has happened, whatever clears it", async () => {
  clearTimeout(setTimeout(() => undefined, long));
  clearTimeout(Number(setTimeout(() => undefined, long)));
  clearInterval(setTimeout(() => undefined, long));
  clearImmediate(setImmediate(() => undefined));
  cancelAnimationFrame(requestAnimationFrame(() => undefined));
  vi.stubGlobal("fetch", vi.fn().mockResolvedValueOnce(new Response()).mockRejectedValueOnce(new Error("refused")));
  await fetch("/api/v1/about");
  await expect(fetch("/api/v1/about")).rejects.toThrow("refused");
  expect(pending()).toEqual([]);
});

it("sees what is started after fake timers, which end with their test", async () => {
  vi.useFakeTimers();
  const faked = vi.fn();
  setTimeout(faked, long);
  expect(pending()).toEqual([]);
  await vi.advanceTimersByTimeAsync(long);
  expect(faked).toHaveBeenCalledOnce();
  setTimeout(faked, long);
  await endPage();
  expect(vi.isFakeTimers()).toBe(false);
  setTimeout(faked, long);
  expect(await endPending()).toHaveLength(1);
  expect(faked).toHaveBeenCalledOnce();
});

it("ends toasts in every state of theirs", async () => {
  render(<Toaster />);
  toast("Leaving");
  toast("Staying");
  await seeToast("Leaving");
  toast.dismiss();
  toast("Arriving");
  await endPage();
  render(<Toaster />);
  toast("Next");
  await seeToast("Next");
  expect(screen.queryByText("Staying")).not.toBeInTheDocument();
});
