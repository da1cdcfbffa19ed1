// Package bucket defines what monitoring counts and how the counts are stored: a Bucket for each
// period of a Series, packed by the hour into rows of days (Roll) and of weeks (Week). It puts
// fresh buckets into rows, adds up stored ones without unpacking more of them than a question needs
// (Gathering), and assembles the days of zones whose midnight is not that of UTC (ZoneDays). It is
// arithmetic over bytes: no transaction, no clock.
//
// Package monitor counts calls into buckets and queries them, package store keeps the rows, package
// pack provides the binary encoding, and package trend the sketches.
package bucket
