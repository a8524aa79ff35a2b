export const hi = {
  title: 'आप कहाँ साइन इन हैं',
  ended: 'वहाँ से साइन आउट किया',
  since: 'कब से',
  here: 'यही',
  inPortal: '{school} के पोर्टल में',
  end: 'साइन आउट',
  endOf: '{device} साइन आउट करें, पिछली बार {when}',
  noSessions: 'कहीं साइन इन नहीं।',
  unknownDevice: 'अनजान उपकरण',
  lastSeen: 'पिछली बार',
}
