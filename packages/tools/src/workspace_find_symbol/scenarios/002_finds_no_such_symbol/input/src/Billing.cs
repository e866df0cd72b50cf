class Billing
{
    decimal CalculateTaxes(Order order)
    {
        return 1;
    }
}
