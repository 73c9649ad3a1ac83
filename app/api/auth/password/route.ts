import { startSession } from "@/lib/platform/auth/login";
import { requireVisitor } from "@/lib/platform/auth/request-guard";
import { buildSafePath } from "@/lib/platform/auth/safe-path";
import { passwordFormBody } from "@/lib/platform/auth/schema";
import { answerRequest } from "@/app/_api/answer-request";
import { parseInput } from "@/lib/platform/http/read/parse-input";
import { readBody } from "@/lib/platform/http/read/read-body";
import { methods, type RouteHandler } from "@/app/_api/api-route";

/** The login form submitted before its scripts have run; public, like `POST /api/v1/login`. */
const signIn: RouteHandler = async (request) => {
  let target = "/";
  const answer = await answerRequest(request, {}, async ({ responseHeaders }) => {
    requireVisitor(request);
    const { password, redirect } = parseInput(passwordFormBody, await readBody(request));
    target = buildSafePath(redirect, target);
    await startSession(password, request.headers, responseHeaders);
  });
  const headers = new Headers(answer.headers);
  headers.delete("Content-Type");
  headers.set("Location", answer.ok ? target : buildRefusal(target, answer.status));
  return new Response(null, { status: 303, headers });
};

function buildRefusal(target: string, status: number): string {
  return `/login?${new URLSearchParams({ redirect: target, failed: String(status) }).toString()}`;
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: signIn });

export const dynamic = "force-dynamic";
