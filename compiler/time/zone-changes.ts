/**
 * Zones whose clock has repeated or skipped a midnight since 2000. In the others days begin at instants that every
 * store finds with one conversion. A test computes both lists from the platform's zones.
 */
import { isListedZone, type TimeZone } from './time-zone';

export interface MidnightChanges {
  readonly repeated: boolean;
  readonly skipped: boolean;
}

/** A name that the platform does not list may be of any zone. */
export function midnightChanges(zone: TimeZone): MidnightChanges {
  if (zone.kind === 'offset') return { repeated: false, skipped: false };
  if (!isListedZone(zone.name)) return { repeated: true, skipped: true };
  return { repeated: REPEATED.has(zone.name), skipped: SKIPPED.has(zone.name) };
}

const REPEATED: ReadonlySet<string> = new Set(
  [
    'America/Goose_Bay America/Havana America/Managua America/Moncton America/Scoresbysund',
    'America/St_Johns Antarctica/Casey Antarctica/Davis Antarctica/Vostok Asia/Amman Asia/Chita',
    'Asia/Colombo Asia/Gaza Asia/Hebron Asia/Jerusalem Asia/Magadan Atlantic/Azores',
  ].flatMap((line) => line.split(' '))
);

const SKIPPED: ReadonlySet<string> = new Set(
  [
    'Africa/Cairo Africa/Casablanca Africa/El_Aaiun Africa/Tunis America/Araguaina',
    'America/Argentina/La_Rioja America/Argentina/Rio_Gallegos America/Argentina/Salta',
    'America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman',
    'America/Argentina/Ushuaia America/Asuncion America/Bahia America/Buenos_Aires America/Campo_Grande',
    'America/Catamarca America/Cordoba America/Coyhaique America/Cuiaba America/Eirunepe',
    'America/Fortaleza America/Guatemala America/Havana America/Jujuy America/Maceio America/Managua',
    'America/Mendoza America/Montevideo America/Noronha America/Port-au-Prince America/Punta_Arenas',
    'America/Recife America/Rio_Branco America/Santarem America/Santiago America/Sao_Paulo',
    'America/Scoresbysund America/Tegucigalpa Antarctica/Casey Antarctica/Palmer Asia/Amman Asia/Beirut',
    'Asia/Damascus Asia/Dili Asia/Gaza Asia/Hebron Asia/Karachi Asia/Khandyga Asia/Tbilisi Asia/Tehran',
    'Atlantic/Azores Atlantic/Stanley Pacific/Apia Pacific/Fakaofo',
  ].flatMap((line) => line.split(' '))
);
