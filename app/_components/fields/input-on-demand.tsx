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

/** What the input with its list takes over from the plain one. */
export interface TakenOver {
  readonly inputRef: RefCallback<HTMLInputElement>;
  readonly typed: string;
  readonly defaultOpen: boolean;
}

/**
 * An input whose list is fetched when the reader begins to act; until then the plain input stands there. What has been
 * typed stays in it, and so does the focus.
 */
export function InputOnDemand<Props extends object>({
  useCode,
  plain,
  props,
}: Readonly<{
  /** By `onDemand`. */
  useCode: (isWanted: boolean) => FunctionComponent<Props & TakenOver> | null;
  plain: ReactElement<ComponentProps<"input">>;
  props: Props;
}>) {
  const Code = useCode(useActivity());
  const [typed, setTyped] = useState("");
  const [isUsed, setIsUsed] = useState(false);
  // The focus can arrive after the code and before the list: only when the plain input goes is it certain.
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
  // oxlint-disable-next-line react/static-components -- the hook gives the same component each time
  if (Code) return <Code {...props} inputRef={takeFocus} typed={typed} defaultOpen={isUsed} />;
  return cloneElement(plain, {
    ref: watch,
    role: "combobox",
    autoComplete: "off",
    "aria-haspopup": "listbox",
    "aria-expanded": false,
    // Aids for reading and speaking move the focus without a pointer or a key.
    onFocus: noteActivity,
    onClick: () => setIsUsed(true),
    onInput: (event) => {
      setTyped(event.currentTarget.value);
      setIsUsed(true);
    },
    onKeyDown: (event) => {
      // Enter chooses; it must not send the form before there is something to choose.
      if (event.key === "Enter") event.preventDefault();
    },
  });
}
