import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, get, post, put } from "@/lib/platform/http/client";

const fetchMock = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal("fetch", fetchMock));
afterEach(() => fetchMock.mockReset());

const envelope = (code: number, message: string | null, data: unknown) =>
  Response.json({ meta: { request_id: "id-1", code, message }, data }, { status: code });

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (error instanceof ApiError) return error;
  throw new Error("no ApiError");
}

it("sends JSON and gives the data of the envelope", async () => {
  fetchMock.mockImplementation(() => Promise.resolve(envelope(200, null, { groups: [] })));
  expect(await post("/api/v1/groups", { arg: { id: [1] } })).toEqual({ groups: [] });
  expect(fetchMock).toHaveBeenCalledWith("/api/v1/groups", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"id":[1]}',
  });
  await put("/api/v1/x");
  expect(fetchMock).toHaveBeenLastCalledWith("/api/v1/x", expect.objectContaining({ method: "PUT", body: "{}" }));
  await get("/api/v1/y");
  expect(fetchMock).toHaveBeenLastCalledWith("/api/v1/y", { method: "GET" });
});

it("throws the server's own sentence with status, request and data", async () => {
  fetchMock.mockResolvedValue(envelope(400, "name is required", { findings: [1] }));
  expect(await failureOf(post("/x", { arg: {} }))).toMatchObject({
    message: "name is required",
    status: 400,
    requestId: "id-1",
    data: { findings: [1] },
  });
});

it("has words for foreign answers and for silence", async () => {
  fetchMock.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
  expect(await failureOf(get("/x"))).toMatchObject({ message: "The server answered with status 502", status: 502 });
  fetchMock.mockRejectedValueOnce(new TypeError("fetch failed"));
  expect(await failureOf(get("/x"))).toMatchObject({ message: "The server cannot be reached", status: 0 });
});

it("tells when the server wants to be asked again", async () => {
  const refuse = (headers: Record<string, string>) =>
    fetchMock.mockResolvedValueOnce(Response.json({ meta: { message: "Wait" }, data: {} }, { status: 429, headers }));
  refuse({ "retry-after": "17" });
  expect((await failureOf(post("/x"))).retryAfter).toBe(17);
  refuse({ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" });
  expect((await failureOf(post("/x"))).retryAfter).toBeNull();
});
