import { methods, route } from "@/app/_api/api-route";
import { simulationAnswer } from "@/lib/policy/why/answer-schema";
import { simulateBody } from "@/lib/policy/why/schema";
import { simulate } from "@/app/_simulator/simulation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Shows what a vehicle would get, with the reason for each grant and what head units would do with it",
    needs: "read",
    answer: simulationAnswer,
    input: { body: simulateBody },
    // Vehicles get an entry for every id, whatever its form.
    keptIn: "request",
    handle: ({ input }) => simulate(input.body),
  }),
});
