Feature: What drivers report about devices in the status of a claim
  A driver may write data about each allocated device into status.devices. With the gate DRAResourceClaimDeviceStatus
  off, the API server clears the field when it stores the claim.

  @profile:kep @profile:since-1.34
  Rule: A driver reports on devices that are allocated

    Background:
      Given a claim "c" requesting 2 devices of class "nic"
      And claim "c" already holds
        | device |
        | eth1   |
        | eth2   |

    @DRA/device-status/driver-reports-per-device @DRA/device-status/update-existing-claim
    Scenario: The reports on two allocated devices are stored
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                                                          |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1}, {driver: dra.example.com, pool: pool-1, device: eth2}] |
      Then it is stored as it was written

    @DRA/device-status/driver-reports-per-device
    Scenario: The IP address of a network interface is stored
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                                      |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1, networkData: {ips: [10.0.0.5/24]}}] |
      Then it is stored with
        | field                             | value         |
        | status.devices[0].networkData.ips | [10.0.0.5/24] |

    @DRA/device-status/driver-reports-per-device
    Scenario: Data that only the driver understands is stored
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                                      |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1, data: {speed: 10G, lanes: [1, 2]}}] |
      Then it is stored with
        | field                  | value                       |
        | status.devices[0].data | {speed: 10G, lanes: [1, 2]} |

    @DRA/device-status/driver-reports-per-device
    Scenario Outline: A report on a device of another <what> than the allocated one is rejected
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                |
        | status.devices | [{driver: <driver>, pool: <pool>, device: <device>}] |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Invalid at "status.devices[0]"

      Examples:
        | what   | driver            | pool   | device |
        | name   | dra.example.com   | pool-1 | eth3   |
        | pool   | dra.example.com   | pool-2 | eth1   |
        | driver | other.example.com | pool-1 | eth1   |

    @DRA/device-status/driver-reports-per-device
    Scenario: A report on a device of a claim that is not allocated is rejected
      Given a claim "pending" requesting 1 device of class "nic"
      When the status of the ResourceClaim "pending" is updated with
        | field          | value                                                   |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1}] |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Invalid at "status.devices[0]"

  Rule: The feature is there when a driver can update a claim with its report

    Background:
      Given the object
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec:
          devices:
            requests:
              - name: r0
                exactly: {deviceClassName: nic, allocationMode: ExactCount, count: 1}
        status:
          allocation:
            devices:
              results:
                - {request: r0, driver: dra.example.com, pool: pool-1, device: eth1}
        """

    @DRA/device-status/update-existing-claim @DRA/device-status/on-by-default-in-1-33
    Scenario: By default the first report on a device of an allocated claim is stored
      When the status of the ResourceClaim "c" is updated with
        | field          | value                                                                       |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1, data: {speed: 10G}}] |
      Then it is stored as it was written

    @DRA/device-status/update-existing-claim
    Scenario: A second report replaces the first and leaves the allocation as it is
      Given the object
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: reported, namespace: default}
        spec:
          devices:
            requests:
              - name: r0
                exactly: {deviceClassName: nic, allocationMode: ExactCount, count: 1}
        status:
          allocation:
            devices:
              results:
                - {request: r0, driver: dra.example.com, pool: pool-1, device: eth2}
          devices:
            - {driver: dra.example.com, pool: pool-1, device: eth2, data: {speed: 10G}}
        """
      When the status of the ResourceClaim "reported" is updated with
        | field                  | value        |
        | status.devices[0].data | {speed: 25G} |
      Then it is stored as it was written

  @profile:kep @profile:until-1.36
  Rule: Without the feature reports are cleared

    Background:
      Given the feature gate "DRAResourceClaimDeviceStatus" is off
      And the object
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: new, namespace: default}
        spec:
          devices:
            requests:
              - name: r0
                exactly: {deviceClassName: nic, allocationMode: ExactCount, count: 1}
        status:
          allocation:
            devices:
              results:
                - {request: r0, driver: dra.example.com, pool: pool-1, device: eth1}
        ---
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: reported, namespace: default}
        spec:
          devices:
            requests:
              - name: r0
                exactly: {deviceClassName: nic, allocationMode: ExactCount, count: 1}
        status:
          allocation:
            devices:
              results:
                - {request: r0, driver: dra.example.com, pool: pool-1, device: eth2}
          devices:
            - {driver: dra.example.com, pool: pool-1, device: eth2, data: {speed: 10G}}
        """

    @DRA/feature-gate/device-status-off-clears
    Scenario: With DRAResourceClaimDeviceStatus off, a claim is stored without the report that a driver adds
      When the status of the ResourceClaim "new" is updated with
        | field          | value                                                   |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1}] |
      Then the field "status.devices" is dropped
      And it is stored with
        | field                                       | value |
        | status.allocation.devices.results[0].device | eth1  |

    @DRA/feature-gate/device-status-off-clears
    Scenario: With DRAResourceClaimDeviceStatus off, reserving a claim clears the report that is stored
      When the status of the ResourceClaim "reported" is updated with
        | field              | value                                       |
        | status.reservedFor | [{resource: pods, name: pod-a, uid: uid-a}] |
      Then the field "status.devices" is dropped
      But since Kubernetes 1.33, because releases keep the reports of a claim that has some already: the field "status.devices" is kept

    @DRA/feature-gate/device-status-off-clears
    Scenario: With DRAResourceClaimDeviceStatus off, labelling a claim clears the report that is stored
      When the ResourceClaim "reported" is updated with
        | field                 | value |
        | metadata.labels.color | black |
      Then the field "status.devices" is dropped
      But since Kubernetes 1.33, because releases keep the reports of a claim that has some already: the field "status.devices" is kept
