import { answerRequest, type Call } from "@/lib/routes/answer-request";

/** Answers a browser with 303 to the address that `work` gives, with the headers it adds, or with what it throws. */
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
