import { answerRequest, type Call } from "@/lib/routes/answer-request";

/**
 * Answers a browser with 303 to where `work` leads, or with what it throws.
 *
 * @param work gives the address; headers that it adds to `responseHeaders` go along
 */
export async function answerRedirect(request: Request, work: (call: Call) => Promise<string>): Promise<Response> {
  let location = "";
  const answer = await answerRequest(request, {}, async (call) => {
    location = await work(call);
  });
  if (!answer.ok) return answer;
  const headers = new Headers(answer.headers);
  headers.delete("Content-Type");
  headers.set("Location", location);
  return new Response(null, { status: 303, headers });
}
