/** The words of the family's frame; its pages bring their own. */
export const en = {
  nothingTitle: 'This link does not lead anywhere',
  nothingText: 'It may have been cut short. Scan the QR code on the slip from school again.',
}
