import { privateKeyAnswer } from "@/lib/certificates/answer-schema";
import { createPrivateKey } from "@/lib/certificates/commands";
import { privateKeyBody } from "@/lib/certificates/schema";
import { methods, route } from "@/app/_api/api-route";

/** `data` is the PEM text. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Generates a private key",
    needs: "administer",
    answer: privateKeyAnswer,
    input: { body: privateKeyBody },
    handle: ({ input, writer }) => createPrivateKey(input.body.keyBitsize, writer),
  }),
});
