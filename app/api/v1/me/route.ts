import { AppError } from "@/lib/platform/errors";
import { meAnswer } from "@/lib/platform/auth/schema";
import { methods, route } from "@/app/_api/api-route";

/** `people.md` P12a */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns who the caller is, how they proved it, and their role",
    needs: "read",
    answer: meAnswer,
    handle: ({ principal }) => {
      if (principal === null) throw new AppError("unauthorized");
      const { name, isVerified, proof, role } = principal;
      return { name, is_verified: isVerified, proof, role };
    },
  }),
});
