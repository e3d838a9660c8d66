Feature: Admission of device status
  A driver can write data about each allocated device into status.devices. With the gate
  DRAResourceClaimDeviceStatus off, the API server clears the field when it stores the ResourceClaim.

  @profile:kep @profile:since-1.34
  Rule: Device status of allocated devices

    Background:
      Given a ResourceClaim "c" requesting 2 devices of class "nic"
      And ResourceClaim "c" is already allocated
        | device |
        | eth1   |
        | eth2   |

    @case:status-of-two-devices
    @DRA/device-status/driver-reports-per-device @DRA/device-status/update-existing-claim
    Scenario: The device status of two allocated devices is stored
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                                                          |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1}, {driver: dra.example.com, pool: pool-1, device: eth2}] |
      Then the object is stored as written

    @case:network-data-stored
    @DRA/device-status/driver-reports-per-device
    Scenario: The IP address of a network device is stored in its device status
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                                      |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1, networkData: {ips: [10.0.0.5/24]}}] |
      Then the object is stored with
        | field                             | value         |
        | status.devices[0].networkData.ips | [10.0.0.5/24] |

    @case:opaque-data-stored
    @DRA/device-status/driver-reports-per-device
    Scenario: Driver-specific data is stored in the device status
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                                      |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1, data: {speed: 10G, lanes: [1, 2]}}] |
      Then the object is stored with
        | field                  | value                       |
        | status.devices[0].data | {speed: 10G, lanes: [1, 2]} |

    @case:status-of-other-device
    @DRA/device-status/driver-reports-per-device
    Scenario Outline: Device status of a device that is not allocated to the ResourceClaim is rejected
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                |
        | status.devices | [{driver: <driver>, pool: <pool>, device: <device>}] |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "status.devices[0]"

      Examples:
        | what   | driver            | pool   | device |
        | name   | dra.example.com   | pool-1 | eth3   |
        | pool   | dra.example.com   | pool-2 | eth1   |
        | driver | other.example.com | pool-1 | eth1   |

    @case:status-of-unallocated-claim
    @DRA/device-status/driver-reports-per-device
    Scenario: Device status is rejected for a ResourceClaim that is not allocated
      Given a ResourceClaim "pending" requesting 1 device of class "nic"
      When the status of ResourceClaim "pending" is updated with
        | field          | value                                                   |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1}] |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "status.devices[0]"

  Rule: Updates of device status

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

    @case:first-status-by-default
    @DRA/device-status/update-existing-claim @DRA/device-status/on-by-default-in-1-33
    Scenario: Device status of an allocated ResourceClaim is stored with default feature gates
      When the status of ResourceClaim "c" is updated with
        | field          | value                                                                       |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1, data: {speed: 10G}}] |
      Then the object is stored as written

    @case:second-status-replaces-first
    @DRA/device-status/update-existing-claim
    Scenario: A later update of device status replaces the data and does not change the allocation
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
      When the status of ResourceClaim "reported" is updated with
        | field                  | value        |
        | status.devices[0].data | {speed: 25G} |
      Then the object is stored as written

  @profile:kep @profile:until-1.36
  Rule: Feature gate DRAResourceClaimDeviceStatus off

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

    @case:gate-off-new-status-dropped
    @DRA/feature-gate/device-status-off-clears
    Scenario: With DRAResourceClaimDeviceStatus off, device status is dropped from a status update
      When the status of ResourceClaim "new" is updated with
        | field          | value                                                   |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: eth1}] |
      Then the field "status.devices" is dropped
      And the object is stored with
        | field                                       | value |
        | status.allocation.devices.results[0].device | eth1  |

    @case:gate-off-cleared-on-reservation
    @DRA/feature-gate/device-status-off-clears
    Scenario: With DRAResourceClaimDeviceStatus off, reserving a ResourceClaim clears its device status
      When the status of ResourceClaim "reported" is updated with
        | field              | value                                       |
        | status.reservedFor | [{resource: pods, name: pod-a, uid: uid-a}] |
      Then the field "status.devices" is dropped
      But since Kubernetes 1.33, because releases store status.devices if the claim already has a device status: the field "status.devices" is kept

    @case:gate-off-cleared-on-label
    @DRA/feature-gate/device-status-off-clears
    Scenario: With DRAResourceClaimDeviceStatus off, labelling a ResourceClaim clears its device status
      When ResourceClaim "reported" is updated with
        | field                 | value |
        | metadata.labels.color | black |
      Then the field "status.devices" is dropped
      But since Kubernetes 1.33, because releases store status.devices if the claim already has a device status: the field "status.devices" is kept
