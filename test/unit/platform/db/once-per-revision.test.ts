import { describe, expect, it, vi } from "vitest";
import { forgetKept, oncePerRevision } from "@/lib/platform/db/once-per-revision";

const keeping = (keepMs?: number) => {
  let count = 0;
  const read = vi.fn(() => Promise.resolve(++count));
  return { read, kept: oncePerRevision(read, keepMs) };
};

describe("what is read once for each revision", () => {
  it("is read once by all who ask together or later", async () => {
    const { read, kept } = keeping();
    expect(await Promise.all([kept.get(3), kept.get(3)])).toEqual([1, 1]);
    expect(await kept.get(3)).toBe(1);
    expect(read).toHaveBeenCalledOnce();
  });

  it("is read again at another revision, also an older one, and after it was forgotten", async () => {
    const { kept } = keeping();
    expect([await kept.get(3), await kept.get(4), await kept.get(3)]).toEqual([1, 2, 3]);
    forgetKept();
    expect(await kept.get(3)).toBe(4);
  });

  it("is kept as long as it may be", async () => {
    const { kept } = keeping(60_000);
    expect([await kept.get(3, 1_000), await kept.get(3, 60_999), await kept.get(3, 61_000)]).toEqual([1, 1, 2]);
  });

  it("tells a failure to who asked, and reads again for the next", async () => {
    const { read, kept } = keeping();
    read.mockRejectedValueOnce(new Error("away"));
    await Promise.all([expect(kept.get(3)).rejects.toThrow("away"), expect(kept.get(3)).rejects.toThrow("away")]);
    expect(read).toHaveBeenCalledOnce();
    expect(await kept.get(3)).toBe(1);
  });
});
