import { screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";

/** Waits until a toast is seen. It comes into the page transparent, and only its next drawing shows it. */
export async function seeToast(text: string): Promise<void> {
  await waitFor(() => {
    const toast = screen.getByText(text).closest("[data-sonner-toast]");
    expect(toast).toBeVisible();
  });
}
