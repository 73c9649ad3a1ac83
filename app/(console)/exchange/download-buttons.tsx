"use client";
import { Download } from "lucide-react";
import { useState } from "react";
import { Problem } from "@/app/_components/feedback/problem";
import { Button } from "@/app/_components/ui/button";
import { downloadJson } from "@/app/_components/json-viewer/download-json";
import { type Environment, environments } from "@/lib/vocabulary/terms";
import { get } from "@/lib/platform/http/client";

const nameOf = (environment: Environment) => `policy-${environment}-${new Date().toISOString().slice(0, 10)}.json`;

/** The same bytes as the command line writes. */
export function DownloadButtons() {
  const [loading, setLoading] = useState<Environment | null>(null);
  const [error, setError] = useState<unknown>(null);

  async function download(environment: Environment) {
    setLoading(environment);
    setError(null);
    try {
      const { document } = (await get(`/api/v1/exchange?environment=${environment}`)) as { readonly document: unknown };
      downloadJson(document, nameOf(environment));
    } catch (failure) {
      setError(failure);
    } finally {
      setLoading(null);
    }
  }

  return (
    <div className="space-y-3">
      <p className="flex flex-wrap gap-2">
        {environments.map((environment) => (
          <Button
            key={environment}
            needsServer
            busy={loading === environment}
            onClick={() => void download(environment)}
          >
            <Download aria-hidden="true" />
            Download {environment}
          </Button>
        ))}
      </p>
      {error !== null && <Problem error={error} />}
    </div>
  );
}
