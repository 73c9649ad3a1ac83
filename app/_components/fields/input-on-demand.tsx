import {
  cloneElement,
  type ComponentProps,
  type FunctionComponent,
  type ReactElement,
  type RefCallback,
  useCallback,
  useRef,
  useState,
} from "react";
import { noteActivity, useActivity } from "@/app/_components/hooks/use-activity";

export interface TakenOver {
  readonly inputRef: RefCallback<HTMLInputElement>;
  readonly typed: string;
  readonly defaultOpen: boolean;
}

/** A plain input stands in until the list loads on the reader's first action; text and focus carry over. */
export function InputOnDemand<Props extends object>({
  useCode,
  plain,
  props,
}: Readonly<{
  useCode: (isWanted: boolean) => FunctionComponent<Props & TakenOver> | null;
  plain: ReactElement<ComponentProps<"input">>;
  props: Props;
}>) {
  const Code = useCode(useActivity());
  const [typed, setTyped] = useState("");
  const [isUsed, setIsUsed] = useState(false);
  // The focus may arrive between code and list, so this is certain only when the plain input unmounts.
  const hadFocus = useRef(false);
  const watch = useCallback((input: HTMLInputElement) => {
    return () => {
      hadFocus.current = input === document.activeElement;
    };
  }, []);
  const takeFocus = useCallback((input: HTMLInputElement | null) => {
    if (hadFocus.current) input?.focus();
    hadFocus.current = false;
  }, []);
  // oxlint-disable-next-line react/static-components -- the hook returns the same component each time
  if (Code) return <Code {...props} inputRef={takeFocus} typed={typed} defaultOpen={isUsed} />;
  return cloneElement(plain, {
    ref: watch,
    role: "combobox",
    autoComplete: "off",
    "aria-haspopup": "listbox",
    "aria-expanded": false,
    // Assistive technology moves the focus without a pointer or key.
    onFocus: noteActivity,
    onClick: () => setIsUsed(true),
    onInput: (event) => {
      setTyped(event.currentTarget.value);
      setIsUsed(true);
    },
    onKeyDown: (event) => {
      // Enter selects; it must not submit the form before the list is there.
      if (event.key === "Enter") event.preventDefault();
    },
  });
}
