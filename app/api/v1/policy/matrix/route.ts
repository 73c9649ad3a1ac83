import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { matrixAnswer } from "@/lib/simulator/answer-schema";
import { loadMatrix } from "@/lib/simulator/answers/queries";
import { matrixQuery } from "@/lib/simulator/schema";

/** What an app asks for and gets. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Shows what a version of an app asks for and gets, per RPC and HMI level, with the reasons",
      needs: "read",
      answer: matrixAnswer,
      input: { query: matrixQuery },
    },
    ({ input }) => loadMatrix(input.query),
  ),
});
