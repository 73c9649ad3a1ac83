import { RotateCw } from "lucide-react";
import { Reference } from "@/app/_components/feedback/problem";
import { useSelfRetry } from "@/app/_components/hooks/use-self-retry";
import { Button } from "@/app/_components/ui/button";

/** The error stays in the server's log; its digest helps to find it there. */
export function PageError({ error, retry }: Readonly<{ error: unknown; retry: () => void }>) {
  useSelfRetry(retry);
  return (
    <div role="alert" className="mx-auto max-w-xl space-y-3 py-10">
      <h1 className="text-xl leading-7 font-semibold tracking-tight">Something went wrong</h1>
      <p className="text-muted">
        The page could not be loaded. The server may be waiting for its database. The page tries again by itself.
      </p>
      {hasDigest(error) && <Reference id={error.digest} />}
      <Button onClick={() => retry()}>
        <RotateCw aria-hidden="true" />
        Retry
      </Button>
    </div>
  );
}

function hasDigest(error: unknown): error is { digest: string } {
  return typeof error === "object" && error !== null && "digest" in error && typeof error.digest === "string";
}
