export function toInvoice() {
  return 1
}
