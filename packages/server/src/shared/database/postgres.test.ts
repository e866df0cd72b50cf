import { expect, test } from 'vitest'
import { isConnectionLoss } from './postgres.ts'

test('a database that refuses for now is away; one that says what is wrong is not', () => {
  for (const code of ['53300', '53200', '53100', '57P03', '57P01', '08006', 'ECONNREFUSED'])
    expect([code, isConnectionLoss({ code })]).toEqual([code, true])
  for (const code of ['42P01', '23505', '22P02', '40001'])
    expect([code, isConnectionLoss({ code })]).toEqual([code, false])
})
