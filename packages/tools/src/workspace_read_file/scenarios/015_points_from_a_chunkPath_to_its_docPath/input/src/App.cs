using System;

public class App
{
}
