/**
 * SQL: the name of the customer of a row of a shipment or tracking request: that which the tracking request named, else
 * the first that has the role.
 */
export const customerNameSql = (of: string): string => `(select p.company_name from parties p
  where p.account_id = ${of}.account_id and p.id = coalesce(${of}.customer_id,
    (select r.party_id from party_roles r where r.account_id = ${of}.account_id and r.record_id = ${of}.id
        and r.role = 'customer' order by r.created_at, r.id limit 1)))`
