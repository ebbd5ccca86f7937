import { preferences } from "../../core/preferences.js";

/** The words of the experiment and of predictions, in each language; what happened comes from the program. */
const all = {
  en: {
    title: "One interception, step by step",
    lead: "A client signs in at its server and sends a password, through a proxy. Set the switches: the experiment is made again, with a real client, real TLS and a real proxy on this machine.",
    happened: "What happened", switches: "Switches", language: "Language", page: "Classroom",
    middle: "Who stands in the middle", pin: "What the app pins", more: "What else is set", predictFirst: "Predict first",
    middles: { nobody: ["nobody", "a proxy that passes encrypted bytes on"], proxy: ["a proxy that makes certificates", "with a CA of its own, as Pinhole does"],
      otherHost: ["somebody with a certificate for another site", "genuine, by the server's own CA"],
      trustedAuthority: ["somebody whom a CA believed", "a trusted CA signed the server's name for him"] },
    pins: { none: "nothing", leaf: "the server's certificate", key: "the server's key", authority: "the CA's key" },
    flags: { installsAuthority: "Install the proxy's CA on the device", allowsInvalid: "Allow invalid certificates", checksName: "Compare the name" },
    readers: { anybody: "Anybody on the way can read this.",
      middle: "The man in the middle can read this; for everybody else on the way it is encrypted.", ends: "On the way this is encrypted." },
    diagram: { client: "Client", middle: "Man in the middle", proxy: "Proxy", server: "Server", to: " to ", knowsCAs: "knows the device's CAs", knowsPin: "knows a pin",
      reads: "reads everything", readsNothing: "reads no request", sees: "sees encrypted bytes", hasKey: "has the real key" },
    before: "← Before", next: "Next step →", steps: "All steps, and what they rest on",
    /** @param {number} at @param {number} count */
    place: (at, count) => `Step ${at} of ${count}`,
    honest: "The honest server's certificates", presented: "What the client was shown", checks: "What the client checked", checkList: "Checks",
    nothing: "nothing", alert: "Alert: ", sealed: "sent encrypted, and not seen here", none: "none", noneShown: "none was shown",
    plaintext: "What the man in the middle reads", unread: "No request: at most the name of the server, and encrypted bytes.",
    own: "the server's own", notOwn: "not the server's", issued: "issued by ",
    /** @type {Record<string, string>} */
    outcome: { passed: "passed", failed: "failed", skipped: "skipped" },
    question: "What will happen?",
    outcomes: { refused: "The client refuses, and sends no password.", hidden: "The client sends the password, and nobody on the way reads it.",
      read: "The client sends the password, and somebody on the way reads it." },
    right: "Your prediction was right.", wrong: "Your prediction was another one.", predicted: "You predicted: ", outcomeIs: "What happens: ",
    misconceptions: {
      refused: { hidden: "You expected the connection to go on safely. A client that meets a certificate which it does not accept cannot go on safely: it ends the handshake before it sends anything.",
        read: "You expected that somebody in the middle can always read. He has to show a certificate, and this client checks it before it sends the password." },
      hidden: { refused: "You expected a refusal. Here the server's own certificate arrives unchanged, and nothing in it is wrong for this client.",
        read: "You expected that a proxy on the way can read. A proxy that passes encrypted bytes on has no key of the connection." },
      read: { refused: "You expected the client to notice. A client checks only what it is told to check, and here all its checks pass for the wrong certificate.",
        hidden: "You expected that encryption protects the password. It is encrypted, but for the one in the middle, who has the key of the certificate that he showed." } },
    ask: "Ask the class", secondVote: "Vote again, after talking", reveal: "Show the outcome", end: "End the question",
    /** @param {number} first @param {number} second */
    voters: (first, second) => `Votes: ${first} alone, ${second} after talking`,
    votes: "Votes", firstVotes: "alone", lastVotes: "at the end",
    /** @param {number} count @param {string} from @param {string} to */
    change: (count, from, to) => `${count} changed from “${from}” to “${to}”`,
    /** @param {number} count */
    late: (count) => `${count} voted only after talking`, noChange: "Nobody changed the prediction.",
    stages: { first: "Choose alone.", second: "Talk to your neighbours, and choose again.", revealed: "" }, chosen: "Your choice: ",
    fromTeacher: "A question of your teacher", wait: "Wait for the others.",
  },
  de: {
    title: "Ein Abfangen, Schritt für Schritt",
    lead: "Ein Client meldet sich bei seinem Server an und schickt ein Passwort, durch einen Proxy. Stelle die Schalter: Das Experiment wird neu gemacht, mit echtem Client, echtem TLS und echtem Proxy auf diesem Rechner.",
    happened: "Was geschah", switches: "Schalter", language: "Sprache", page: "Experiment",
    middle: "Wer in der Mitte steht", pin: "Was die App pinnt", more: "Was sonst eingestellt ist", predictFirst: "Zuerst vorhersagen",
    middles: { nobody: ["niemand", "ein Proxy, der verschlüsselte Bytes weiterreicht"], proxy: ["ein Proxy, der Zertifikate macht", "mit einer eigenen CA, wie Pinhole"],
      otherHost: ["jemand mit einem Zertifikat für eine andere Seite", "echt, von der CA des Servers"],
      trustedAuthority: ["jemand, dem eine CA geglaubt hat", "eine vertraute CA hat ihm den Namen des Servers unterschrieben"] },
    pins: { none: "nichts", leaf: "das Zertifikat des Servers", key: "den Schlüssel des Servers", authority: "den Schlüssel der CA" },
    flags: { installsAuthority: "Die CA des Proxys auf dem Gerät installieren", allowsInvalid: "Ungültige Zertifikate annehmen", checksName: "Den Namen vergleichen" },
    readers: { anybody: "Alle auf dem Weg können das lesen.",
      middle: "Der Angreifer in der Mitte kann das lesen; für alle anderen auf dem Weg ist es verschlüsselt.", ends: "Auf dem Weg ist das verschlüsselt." },
    diagram: { client: "Client", middle: "Angreifer", proxy: "Proxy", server: "Server", to: " zu ", knowsCAs: "kennt die CAs des Geräts", knowsPin: "kennt einen Pin",
      reads: "liest alles", readsNothing: "liest keine Anfrage", sees: "sieht verschlüsselte Bytes", hasKey: "hat den echten Schlüssel" },
    before: "← Zurück", next: "Nächster Schritt →", steps: "Alle Schritte, und worauf sie beruhen",
    /** @param {number} at @param {number} count */
    place: (at, count) => `Schritt ${at} von ${count}`,
    honest: "Die Zertifikate des ehrlichen Servers", presented: "Was dem Client gezeigt wurde", checks: "Was der Client geprüft hat", checkList: "Prüfungen",
    nothing: "nichts", alert: "Alert: ", sealed: "verschlüsselt geschickt und hier nicht zu sehen", none: "keiner", noneShown: "keins wurde gezeigt",
    plaintext: "Was der Angreifer in der Mitte liest", unread: "Keine Anfrage: höchstens den Namen des Servers und verschlüsselte Bytes.",
    own: "das des Servers", notOwn: "nicht das des Servers", issued: "ausgestellt von ",
    /** @type {Record<string, string>} */
    outcome: { passed: "bestanden", failed: "gescheitert", skipped: "ausgelassen" },
    question: "Was wird geschehen?",
    outcomes: { refused: "Der Client lehnt ab und schickt kein Passwort.", hidden: "Der Client schickt das Passwort, und niemand auf dem Weg liest es.",
      read: "Der Client schickt das Passwort, und jemand auf dem Weg liest es." },
    right: "Deine Vorhersage war richtig.", wrong: "Deine Vorhersage war eine andere.", predicted: "Vorhergesagt hast du: ", outcomeIs: "Es geschieht: ",
    misconceptions: {
      refused: { hidden: "Du hast erwartet, dass die Verbindung sicher weitergeht. Ein Client, der ein Zertifikat nicht annimmt, kann nicht sicher weitermachen: Er beendet den Handshake, bevor er etwas schickt.",
        read: "Du hast erwartet, dass jemand in der Mitte immer mitlesen kann. Er muss ein Zertifikat zeigen, und dieser Client prüft es, bevor er das Passwort schickt." },
      hidden: { refused: "Du hast eine Ablehnung erwartet. Hier kommt das Zertifikat des Servers unverändert an, und für diesen Client ist nichts daran falsch.",
        read: "Du hast erwartet, dass ein Proxy auf dem Weg mitlesen kann. Ein Proxy, der verschlüsselte Bytes weiterreicht, hat keinen Schlüssel der Verbindung." },
      read: { refused: "Du hast erwartet, dass der Client es bemerkt. Ein Client prüft nur, was er prüfen soll, und hier besteht das falsche Zertifikat alle Prüfungen.",
        hidden: "Du hast erwartet, dass die Verschlüsselung das Passwort schützt. Es ist verschlüsselt, aber für den in der Mitte, der den Schlüssel zu dem gezeigten Zertifikat hat." } },
    ask: "Die Klasse fragen", secondVote: "Nach dem Gespräch noch einmal abstimmen", reveal: "Auflösen", end: "Die Frage beenden",
    /** @param {number} first @param {number} second */
    voters: (first, second) => `Stimmen: ${first} allein, ${second} nach dem Gespräch`,
    votes: "Stimmen", firstVotes: "allein", lastVotes: "am Ende",
    /** @param {number} count @param {string} from @param {string} to */
    change: (count, from, to) => `${count} haben gewechselt, von „${from}“ zu „${to}“`,
    /** @param {number} count */
    late: (count) => `${count} haben erst nach dem Gespräch abgestimmt`, noChange: "Niemand hat die Vorhersage geändert.",
    stages: { first: "Entscheide allein.", second: "Sprich mit deinen Nachbarn und entscheide noch einmal.", revealed: "" }, chosen: "Deine Wahl: ",
    fromTeacher: "Eine Frage deiner Lehrkraft", wait: "Warte auf die anderen.",
  },
};

/** The words in the user's language. @returns {typeof all.en} */
export const experimentWords = () => preferences.get("language") === "de" ? all.de : all.en;

/** The outcome of an experiment; empty if it came to no result. @param {{decision: string, isStolen: boolean}} lesson */
export const outcomeOf = (lesson) => lesson.decision === "rejected" ? "refused" : lesson.decision !== "accepted" ? "" : lesson.isStolen ? "read" : "hidden";

/** The switches in words, as a question needs them. @param {any} switches */
export function described(switches) {
  const words = experimentWords();
  const flags = Object.entries(words.flags).filter(([name]) => name === "checksName" ? !switches[name] : switches[name])
    .map(([name, label]) => name === "checksName" ? `${label}: –` : `${label}: ✓`);
  return [`${words.middle}: ${words.middles[switches.middle][0]}`, `${words.pin}: ${words.pins[switches.pin]}`, ...flags];
}
