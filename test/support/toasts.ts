import { screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";

/** Waits until a toast is visible. It is inserted transparent and becomes visible with the next rendering. */
export async function seeToast(text: string): Promise<void> {
  await waitFor(() => {
    expect(screen.getByText(text).closest("[data-sonner-toast]")).toBeVisible();
  });
}
