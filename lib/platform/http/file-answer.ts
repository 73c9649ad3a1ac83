import type { StreamedData } from "@/lib/platform/http/streamed-data";

/** An answer that a browser saves as a file: its text alone, without the envelope, sent piece by piece. */
export class FileAnswer {
  constructor(
    readonly data: StreamedData,
    readonly file: {
      /** Media type with its parameters, e.g. `text/csv; charset=utf-8`. */
      readonly type: string;
      /** Letters, digits, hyphens and dots only. */
      readonly name: string;
    },
  ) {}

  toResponse(status: number, headers: Headers, requestId: string): Response {
    headers.set("Content-Type", this.file.type);
    headers.set("Content-Disposition", `attachment; filename="${this.file.name}"`);
    return new Response(this.data.toBody("", "", requestId), { status, headers });
  }
}
