import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/_components/ui/button";
import { Problem } from "@/app/_components/feedback/problem";

export function ErrorPanel({
  error,
  onRetry,
  children,
}: Readonly<{ error: unknown; onRetry?: () => void; children?: ReactNode }>) {
  return (
    <div className="space-y-3">
      <Problem error={error}>{children}</Problem>
      {onRetry && (
        <Button onClick={onRetry}>
          <RotateCw aria-hidden="true" />
          Retry
        </Button>
      )}
    </div>
  );
}
